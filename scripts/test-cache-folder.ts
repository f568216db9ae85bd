import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Compiled modules, which the next process does not compile again; `bin/objectry.js` uses Node's default, which this is. */
export const COMPILE_CACHE_FOLDER = join(tmpdir(), 'node-compile-cache')

/** Where the tests keep what the next run uses: data folders of the template, and how long each file took. */
export const CACHE_FOLDER = join(tmpdir(), `objectry-tests-${userInfo().uid}`)
