import { newTab, type Tab } from '../../components/tabs/use-tabs.ts'
import type { QueryLanguage } from './run.ts'

export interface QueryTab extends Tab {
  readonly language: QueryLanguage
  readonly text: string
  readonly variables: string
}

const EMPTY: Readonly<Record<QueryLanguage, string>> = {
  soql: 'SELECT Id, Name FROM ',
  sosl: 'FIND {} IN ALL FIELDS RETURNING ',
  graphql: '',
}

export const makeTab = (language: QueryLanguage, text = EMPTY[language]): QueryTab => ({
  ...newTab(),
  language,
  text,
  variables: '',
})

/** The object that the text of a tab asks for first; undefined while it names none. */
export function objectOf({ text }: QueryTab): string | undefined {
  // Behind the brackets of child queries.
  const outer = text.replaceAll(/\([^()]*\)/g, ' ')
  return /\b(?:from|returning)\s+(\w+)/i.exec(outer)?.[1]
}

/** The title of a tab: its own name, its object, or its language. */
export function nameOf(tab: QueryTab): string {
  if (tab.name !== undefined && tab.name !== '') return tab.name
  return objectOf(tab) ?? { soql: 'Query', sosl: 'Search', graphql: 'GraphQL' }[tab.language]
}

export const QUERY_TABS = { screen: 'query', makeFirst: () => makeTab('soql') } as const
