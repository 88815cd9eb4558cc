// A file of its own, so that the code of tooltips is loaded with the first one that is shown.
export { Tooltip } from "@mantine/core";
