import { SimpleGrid } from "@mantine/core";
import qrcode from "qrcode-generator";

export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let y = 0; y < size; ++y) for (let x = 0; x < size; ++x) if (code.isDark(y, x)) path += `M${x} ${y}h1v1h-1z`;
  return (
    <SimpleGrid cols={1}>
      <svg viewBox={`-2 -2 ${size + 4} ${size + 4}`} width={200} role="img" aria-label={label}>
        <rect x={-2} y={-2} width={size + 4} height={size + 4} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
    </SimpleGrid>
  );
}
