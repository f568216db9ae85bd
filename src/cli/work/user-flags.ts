import type { Command } from 'commander'
import { addOrgFlags } from '../command/setting-flags.ts'
import { addJsonFlag } from '../result/outcome.ts'

/** Flags that say whose access it is, and where the server is. */
export const withUser = (command: Command) =>
  addOrgFlags(
    addJsonFlag(
      command
        .option('--user <user>', 'username or id; default the first administrator')
        .option('--server <url>', 'where the server is; default where the settings have it'),
    ),
    ['publicUrl', 'port'],
  )
