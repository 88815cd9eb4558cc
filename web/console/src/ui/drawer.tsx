// A file of its own, so that it is loaded when a phone opens the menu.
export { Drawer } from "@mantine/core";
