/** Takes the operating system's exclusive lock on the open database file, without writing to it. */
export const HOLD_FILE = 'pragma journal_mode = memory; begin exclusive'
