import { Kbd, Table } from "@mantine/core";
import { t } from "../text";
import { Modal } from "./modal";
import { pageKeys } from "./shortcuts";

export function ShortcutHelp({ close }: { close: () => void }) {
  const rows: [string[], string][] = [
    [["Ctrl", "K"], t("search.open")],
    [["/"], t("keys.filter")],
    [["j"], t("keys.next")],
    [["k"], t("keys.previous")],
    [["Enter"], t("keys.openRow")],
    [["e"], t("keys.edit")],
    ...[...pageKeys.values()].map((entry): [string[], string] => [["g", entry.shortcut!], t(entry.title)]),
  ];
  return (
    <Modal onClose={close} title={t("keys.title")}>
      <Table>
        <Table.Tbody>
          {rows.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
