// Makes demo/pictures/*.webp from demo/drawings/*.svg with Chromium: `node demo/draw.mjs`. The packages are those of the
// browser tests (web/tests). Run it after changing a drawing, and commit both.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const { chromium } = createRequire(join(folder, '../web/tests/package.json'))('playwright-core');
const sizes = [{ ending: '', side: 800, bytesMax: 25_000 }, { ending: '-small', side: 320, bytesMax: 10_000 }];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
mkdirSync(join(folder, 'pictures'), { recursive: true });

/** The drawing as WebP, in the best quality that is small enough. */
async function webp(drawing, { side, bytesMax }) {
  for (let quality = 0.9; quality > 0.3; quality -= 0.05) {
    const bytes = Buffer.from(await page.evaluate(async ([text, width, chosen]) => {
      const image = new Image();
      image.src = `data:image/svg+xml;base64,${btoa(text)}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width, height: width });
      canvas.getContext('2d').drawImage(image, 0, 0, width, width);
      return canvas.toDataURL('image/webp', chosen).split(',')[1];
    }, [drawing, side, quality]), 'base64');
    if (bytes.length <= bytesMax) return bytes;
  }
  throw new Error('the drawing has too many details');
}

for (const file of readdirSync(join(folder, 'drawings')).sort()) {
  const name = file.replace('.svg', '');
  for (const size of sizes) {
    const bytes = await webp(readFileSync(join(folder, 'drawings', file), 'utf8'), size);
    writeFileSync(join(folder, 'pictures', `${name}${size.ending}.webp`), bytes);
    console.log(`${name}${size.ending}.webp ${bytes.length}`);
  }
}
await browser.close();
