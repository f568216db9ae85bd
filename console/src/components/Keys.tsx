import { Kbd, Modal, Table, Text } from '@mantine/core'
import { SCREENS } from '../screens.ts'

const KEYS: ReadonlyArray<readonly [keys: readonly string[], effect: string]> = [
  [['Ctrl', 'K'], 'Search or go to'],
  [['Ctrl', 'Enter'], 'Run what the editor has'],
  [['Ctrl', 'Space'], 'All fields in a select list; elsewhere what may stand there'],
  [['Tab'], 'Take the first suggestion'],
  [['Escape', 'Tab'], 'Leave an editor'],
  [['Ctrl', 'S'], 'Save'],
  [['Enter'], 'Open the row of a list beside it'],
  [['Enter'], 'Open the id or address under the cursor of a response'],
  [['F2'], 'Edit a cell of a result; typing replaces its value'],
  [['Shift', '↓'], 'Choose several cells, in each direction; a mouse draws them'],
  [['Ctrl', 'C'], 'Copy the chosen cells, as spreadsheets take them'],
  [['Ctrl', 'V'], 'Fill cells of a result; one value fills all that are chosen'],
  [['Delete'], 'Empty the chosen cells'],
  [['Ctrl', 'Z'], 'Undo the last change of cells'],
  [['Escape'], 'Close what is on top'],
  [['?'], 'These keys'],
]

/** Which keys do what. */
export function Keys({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const rows = [...KEYS, ...SCREENS.map(({ key, label }) => [['Alt', key.toUpperCase()], label] as const)]
  return (
    <Modal opened={opened} onClose={onClose} title="Keys">
      <Table>
        <Table.Tbody>
          {rows.map(([keys, effect]) => (
            <Table.Tr key={effect}>
              <Table.Td w={150}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{effect}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="sm">
        On a Mac, ⌘ in place of Ctrl.
      </Text>
    </Modal>
  )
}
