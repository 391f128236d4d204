"""rapidoc.py NPM VERSION INTEGRITY FOLDER: puts RapiDoc into FOLDER, as rapidoc.js, and its licences into rapidoc.txt.

`npm pack` gets the package alone, from its cache or the network; no dependencies are needed, because its one file includes
them. Files that are in FOLDER and have the right content are kept. On failure it prints the reason on standard error, and
the exit status is 1.

RapiDoc was chosen for what it asks of a browser: 0.86 MB (0.22 packed), no eval, no other host once load-fonts is off, and of the
page's policy only style-src 'unsafe-inline', since its markup has some 480 style attributes. Scalar's one file has 3.6 MB, tries
eval and writes to the console. Swagger UI has 1.9 MB, and axe-core finds 69 texts of too little contrast in it. Redoc has no forms
to try a request. web/docs/reference.js mends what axe-core finds in RapiDoc."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import tarfile

# How long npm may take, in seconds; it is asked to give up sooner by itself where there is no network.
PATIENCE = 120

LICENCES = """\
RapiDoc {version}, an npm package, is part of this program: it shows the reference at /docs. Here are its licence, and the
notices in its one file for what that file holds. It also holds these, or parts of them, without a notice: swagger-client and
ApiDOM, Copyright SmartBear Software Inc., and openapi-path-templating and openapi-server-url-templating, Copyright Vladimir
Gorej, all under the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0, https://www.apache.org/licenses/LICENSE-2.0);
openapi-parser, marked, randexp, ret, drange, xml-but-prettier, base64-js, base64-arraybuffer, deepmerge, neotraverse, core-js
and Ramda, under the MIT license; and Ramda Adjunct, under the BSD 3-clause license. The file is as it was published, less the
last line, which names a source map.

"""


def integrity_of(path):
    with open(path, "rb") as file:
        return "sha512-" + base64.b64encode(hashlib.sha512(file.read()).digest()).decode()


def reason(said):
    """The line of npm's errors that names a cause, and not a code, a call or a file with a log."""
    lines = re.findall(r"^npm (?:ERR!|error) (?!code|syscall|errno|type|A complete log)(.+)", said, re.MULTILINE)
    return "npm says: " + (lines or [said.strip()])[0]


def fetch(npm, version, integrity, folder):
    """The path of the package; an exception when it cannot be had as it should be."""
    package = os.path.join(folder, f"rapidoc-{version}.tgz")
    if not os.path.exists(package) or integrity_of(package) != integrity:
        command = [npm, "pack", f"rapidoc@{version}", "--pack-destination", folder, "--ignore-scripts", "--prefer-offline",
                   "--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=30000"]
        npm_said = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        if npm_said.returncode != 0:
            raise ValueError(reason(npm_said.stderr))
    if integrity_of(package) != integrity:
        raise ValueError(f"{package} is not the package that is meant: it has {integrity_of(package)}, not {integrity}")
    return package


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def unpack(package, version, folder):
    with tarfile.open(package) as archive:
        def read(name):
            return archive.extractfile(f"package/{name}").read().decode()

        script, _, source_map = read("dist/rapidoc-min.js").rpartition("\n")
        if not source_map.startswith("//# sourceMappingURL="):
            raise ValueError(f"the last line of rapidoc-min.js in {package} names no source map")
        write(folder, "rapidoc.js", script + "\n")
        write(folder, "rapidoc.txt", LICENCES.format(version=version) + read("LICENSE.txt") + "\n"
              + read("dist/rapidoc-min.js.LICENSE.txt"))


def main(npm, version, integrity, folder):
    os.makedirs(folder, exist_ok=True)
    try:
        unpack(fetch(npm, version, integrity, folder), version, folder)
    except (OSError, ValueError, KeyError, tarfile.TarError, subprocess.SubprocessError) as error:
        sys.exit(f"RapiDoc {version} cannot be had: {error}")


main(*sys.argv[1:])
