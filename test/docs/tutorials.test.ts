import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { testGuides } from './test-guides.ts'

const ROOT = resolve(import.meta.dirname, '../..')

testGuides([
  join(ROOT, 'README.md'),
  ...globSync(join(ROOT, 'docs/tutorials/*.md')).sort(),
  join(ROOT, 'docs/explanation/differences-from-a-real-org.md'),
])
