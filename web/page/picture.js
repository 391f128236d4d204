// Pictures of what is on the screen: SVG as the service draws it, and PNG, which the browser paints from that.

/** Pixels of the longer side of a PNG, at least; the picture's own size where that is more. */
const LEAST_PNG = 1024;

/**
 * Paint an SVG into a PNG. Rejects where the browser cannot.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function paintPng(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.max(1, LEAST_PNG / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas gives no picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
