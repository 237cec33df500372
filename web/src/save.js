// Files that the browser saves; nothing is sent anywhere.

export function save(name, type, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // it may be asked for after the click
}

// A drawing as a picture of so many pixels across.
export async function pngOf(svg, width = 1200) {
  const [, across, down] = svg.match(/viewBox="\S+ \S+ (\S+) (\S+)"/).map(Number);
  const height = Math.round((width * down) / across);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace('<svg ', `<svg width="${width}" height="${height}" `))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
