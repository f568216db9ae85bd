/** Takes the operating system's exclusive lock on the file that is open, and writes nothing to it. */
export const HOLD_FILE = 'pragma journal_mode = memory; begin exclusive'
