"""Make the files of a site that needs no service: site.py OUTPUT BUILD MODULE VERSION

OUTPUT is a new folder, BUILD is Meson's build folder, MODULE is arbiter.wasm. The pages are those that the service has, with these
differences: their links lead to files, they send no requests to a service, and the page computes its answers itself (web/page/local.js).
All addresses are relative, so the site works under any path.
"""

import hashlib
import html
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import urllib.parse
import zlib

TOP = pathlib.Path(__file__).resolve().parent.parent
POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
          "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'")
NAME = 'arbiter-'  # of the service worker's stores
# The page replaces it when it starts; browsers don't load modules from a file.
LATE = ('<p class="late">If nothing else appears here, open this page from a web server, for example <code>python3 -m http.server</code> in its folder. '
        '<span lang="zh-Hans">如果页面没有出现，请用网页服务器打开，不要直接打开文件。</span></p>')


def with_files(page):
    """Let the links of a page lead to files, and remove what needs a service: forms, and scripts that ask it."""
    page = re.sub(r'<form\b.*?</form>\n?', '', page, flags=re.S)
    page = re.sub(r'<script\b[^>]*src="[^"]*(?:address|limits|reference)\.js"></script>\n?', '', page)
    page = page.replace('href="../limits"', 'href="limits.html"')
    page = re.sub(r'href="(\.\./)?docs(["#])', r'href="\1reference.html\2', page)
    page = re.sub(r'href="((?:\.\./)?(?:docs/)?(?:guides|limits|errors)(?:\.zh)?)(["#])', r'href="\1.html\2', page)
    page = re.sub(r'href="(\.\./)?problems(?:/[\w-]*)?"', r'href="\1docs/errors.html"', page)
    return page.replace('href="."', 'href="./"').replace('href=".."', 'href="../"')


def with_pictures(page, build, files):
    """Replace the pictures that a service would draw by files, which the program in the build folder draws now."""
    def file_of(match):
        address = html.unescape(match[1])
        question = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)['case'][0]
        game = re.match(r'\.\./(\w+)', address)[1]
        name = f'docs/{game}-{hashlib.sha256(question.encode()).hexdigest()[:8]}.svg'
        command = [build / 'arbiter', 'solve', game, '--to', 'svg', '--case', question]
        files[name] = subprocess.run(command, check=True, capture_output=True).stdout
        return f'src="{pathlib.PurePosixPath(name).name}"'
    return re.sub(r'src="(\.\./\w+\?format=svg[^"]*)"', file_of, page)


def start_page(page, version):
    """The page with the games."""
    head = [f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="arbiter-site" content="web/local/site.js">',
            f'<meta name="arbiter-version" content="{version}">',
            '<meta name="theme-color" content="#b3261e">',
            '<link rel="manifest" href="manifest.webmanifest">']
    head += [f'<link rel="modulepreload" href="web/local/{name}.js">' for name in ('site', 'host', 'pool')]
    page = page.replace('</body>', f'{LATE}\n</body>')
    return with_files(page).replace('<meta charset="utf-8">', '\n'.join(['<meta charset="utf-8">', *head]), 1)


def png(size):
    """web/icon.svg as a PNG of this size. The corners are filled, because launchers cut icons in shapes of their own."""
    scale = size / 32

    def pixel(x, y):
        color = (0xb3, 0x26, 0x1e)
        for cx, cy, disc in ((11.5, 12, (0xff, 0xff, 0xff)), (20.5, 20, (0x1d, 0x1b, 0x19))):
            share = min(1, max(0, 5.5 * scale - math.hypot(x + 0.5 - cx * scale, y + 0.5 - cy * scale) + 0.5))
            color = tuple(round(new * share + old * (1 - share)) for old, new in zip(color, disc))
        return bytes(color)

    data = b''.join(b'\0' + b''.join(pixel(x, y) for x in range(size)) for y in range(size))
    parts = [(b'IHDR', struct.pack('>IIBBBBB', size, size, 8, 2, 0, 0, 0)), (b'IDAT', zlib.compress(data, 9)), (b'IEND', b'')]
    return b'\x89PNG\r\n\x1a\n' + b''.join(
        struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data)) for kind, data in parts)


def manifest():
    icons = [{'src': f'icons/{size}.png', 'sizes': f'{size}x{size}', 'type': 'image/png', 'purpose': 'any maskable'} for size in (192, 512)]
    return json.dumps({
        'name': 'Arbiter', 'short_name': 'Arbiter',
        'description': 'Exact answers about Go records, the crossing pawn and Minesweeper for two',
        'id': './', 'start_url': './', 'scope': './', 'display': 'standalone', 'background_color': '#ffffff', 'theme_color': '#b3261e',
        'icons': [*icons, {'src': 'web/icon.svg', 'sizes': 'any', 'type': 'image/svg+xml'}],
    }, indent=1)


def files_of(build, module, version):
    """The files of the site: {path: bytes}."""
    check = subprocess.run([build / 'arbiter', '--check'], check=True, capture_output=True, text=True).stdout
    limits = {name: f'{int(value):,}' for name, value in re.findall(r'^(max_\w+|queue) (\d+)$', check, re.M)}
    files = {}
    for path in sorted((TOP / 'web').rglob('*')):
        name = path.relative_to(TOP).as_posix()
        if path.suffix in ('.js', '.css', '.svg', '.png') and not name.startswith('web/docs/'):
            files[name] = path.read_bytes()
    for name in ('engine', 'host', 'pool', 'serve', 'site', 'worker'):
        files[f'web/local/{name}.js'] = (TOP / f'client/local/{name}.js').read_bytes()
    files['web/local/arbiter.wasm'] = module.read_bytes()
    files['index.html'] = start_page((build / 'web/index.html').read_text('utf-8'), version).encode()
    files['reference.html'] = with_files((build / 'web/docs/reference.html').read_text('utf-8')).encode()
    for name in ('guides', 'errors', 'limits'):
        for language in ('', '.zh'):
            folder = build / 'web' / 'docs' if name == 'guides' else TOP / 'web' / 'docs'
            page = with_files((folder / f'{name}{language}.html').read_text('utf-8'))
            page = re.sub(r'(data-limit="(\w+)">)', lambda cell: cell[1] + limits.get(cell[2], ''), page)
            files[f'docs/{name}{language}.html'] = with_pictures(page, build, files).encode()
    files['docs/docs.css'] = (TOP / 'web/docs/docs.css').read_bytes()
    files['openapi.yaml'] = (TOP / 'openapi.yaml').read_bytes()
    files['openapi.json'] = (build / 'api/request/openapi.json').read_bytes()
    files['manifest.webmanifest'] = manifest().encode()
    for size in (192, 512):
        files[f'icons/{size}.png'] = png(size)
    return files


def service_worker(files):
    """The service worker. `./` is the start page; the store's name depends on all bytes."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f'{name} {len(data)} '.encode() + data)
    text = (TOP / 'tools/service-worker.js').read_text('utf-8')
    names = ['./', *(name for name in sorted(files) if name != 'index.html')]
    listed = text.replace("['@FILES@']", json.dumps(names))
    return listed.replace('@VERSION@', NAME + digest.hexdigest()[:16]).encode()


def main(output, build, module, version):
    files = files_of(pathlib.Path(build), pathlib.Path(module), version)
    files['service-worker.js'] = service_worker(files)
    for name, data in files.items():
        path = pathlib.Path(output) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


main(*sys.argv[1:])
