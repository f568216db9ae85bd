import {
  Button,
  createTheme,
  Drawer,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  Paper,
  Table,
  Tooltip,
} from '@mantine/core'

const ink: MantineColorsTuple = [
  '#eef2fb',
  '#dbe3f3',
  '#b4c5e5',
  '#8ba5d7',
  '#698acb',
  '#547ac5',
  '#4871c3',
  '#3a60ac',
  '#31559b',
  '#24498a',
]

export const theme = createTheme({
  primaryColor: 'ink',
  colors: { ink },
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  // Whichever of black and white is easier to read.
  luminanceThreshold: 0.18,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '600' },
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Menu: Menu.extend({ defaultProps: { shadow: 'md', position: 'bottom-end' } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.35, blur: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400, withArrow: true, fz: 'xs' } }),
  },
})
