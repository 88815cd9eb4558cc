// The look of the console and of the sandbox's page: one neutral palette (slate), one accent, one type scale, borders
// rather than shadows.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const slate: MantineColorsTuple = [
  "#f8fafc",
  "#f1f5f9",
  "#e2e8f0",
  "#cbd5e1",
  "#94a3b8",
  "#64748b",
  "#475569",
  "#334155",
  "#1e293b",
  "#0f172a",
];

const dark: MantineColorsTuple = [
  "#e2e8f0",
  "#cbd5e1",
  "#a9b6c8",
  "#7c8ba1",
  "#3b4a60",
  "#2b384c",
  "#1c2738",
  "#141d2c",
  "#0e1624",
  "#0a101b",
];

/** `closeLabel` names the buttons that close dialogs and notes, for people who cannot see their icon. */
export function makeTheme(closeLabel: string) {
  const closeButtonProps = { "aria-label": closeLabel };
  return createTheme({
    colors: { slate, dark },
    primaryColor: "indigo",
    primaryShade: 7,
    autoContrast: true,
    defaultRadius: 8,
    fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
    fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    fontSizes: { xs: "12px", sm: "14px", md: "14px", lg: "16px", xl: "20px" },
    spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
    headings: {
      fontWeight: "600",
      sizes: {
        h1: { fontSize: "28px", lineHeight: "1.2" },
        h2: { fontSize: "20px", lineHeight: "1.3" },
        h3: { fontSize: "16px", lineHeight: "1.4" },
      },
    },
    components: {
      Paper: { defaultProps: { withBorder: true, radius: 8, p: "md" } },
      Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } } },
      Modal: { defaultProps: { centered: true, closeButtonProps } },
      // Otherwise the head of a dialog counts as a second banner of the page.
      ModalHeader: { defaultProps: { role: "presentation" } },
      DrawerHeader: { defaultProps: { role: "presentation" } },
      FileInput: { defaultProps: { clearButtonProps: closeButtonProps } },
      Drawer: { defaultProps: { closeButtonProps } },
      Notification: { defaultProps: { closeButtonProps } },
    },
  });
}

/** Text colours with a contrast of at least 4.5 in both schemes, which the library's own do not all have. */
export const textColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#566174",
    "--mantine-color-placeholder": "#64708a",
    "--mantine-color-anchor": "#2f4ac0",
    "--mantine-color-error": "#b42318",
    "--mantine-color-indigo-light-color": "#2f4ac0",
    "--mantine-color-red-light-color": "#a4161a",
    "--mantine-color-yellow-light-color": "#7a4a00",
    "--mantine-color-green-light-color": "#0b6b43",
    "--mantine-color-blue-light-color": "#1e40af",
    "--mantine-color-gray-light-color": "#475569",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b6c8",
    "--mantine-color-placeholder": "#93a1b8",
    "--mantine-color-anchor": "#a5b4ff",
    "--mantine-color-error": "#ffb4ab",
    "--mantine-color-indigo-light-color": "#c5d0ff",
    "--mantine-color-red-light-color": "#ffb4ab",
    "--mantine-color-yellow-light-color": "#ffd58f",
    "--mantine-color-green-light-color": "#7fe0b4",
  },
});
