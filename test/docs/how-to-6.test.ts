import { howToPages } from './how-to-pages.ts'
import { testGuides } from './test-guides.ts'

testGuides(howToPages(6))
