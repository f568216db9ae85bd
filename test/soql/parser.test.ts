import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseQuery } from '../../src/soql/parse/parser.ts'
import { CASES } from './cases.ts'
import { firstItem, refusal, shape, where } from './parsed.ts'

/**
 * Refused with MALFORMED_QUERY, but not by the grammar: what the parser leaves to analysis, by rule and by the note
 * of the case. Whoever writes the rule takes it out of this list.
 */
const LEFT_TO_ANALYSIS: Readonly<Record<string, readonly string[]>> = {
  'plain fields have no alias (3.6)': ['DISTINCT is read as a field and Industry as its alias'],
  'result keys are distinct (3.6)': ['duplicate alias: x', 'duplicate alias: Name'],
  'COUNT() stands alone, without ORDER BY (6)': ['COUNT() must stand alone', 'no ORDER BY with COUNT()'],
  'only root queries aggregate (3.3)': [
    'no COUNT() in a child',
    'only root queries support aggregate expressions',
  ],
  'what is selected is grouped or aggregated (6)': [
    'Field must be grouped or aggregated: Name',
    'date function without GROUP BY',
    'expanded fields are not grouped',
  ],
  'an aggregate over everything has no LIMIT and OFFSET (6)': ['ungrouped aggregate cannot use OFFSET'],
  'HAVING has no currency literal (5.7)': ['no currency literal in HAVING'],
  'a date function does not meet a named date (5.6)': ['date function may not meet a date literal'],
  'FIELDS(ALL) is bounded (3.4)': ['must have a LIMIT of at most 200'],
  'a child has OFFSET only below LIMIT 1 (3.3)': ['child OFFSET without outer LIMIT 1'],
  'a locking query is not ordered (7)': ['no ORDER BY with locking'],
  'semi-joins (5.4)': [
    'inner and outer selects on the same object',
    'left operand must be an id or reference',
    'left operand may not use a relationship',
    'semi join not allowed in nested WHERE',
    'not allowed with OR',
  ],
}

describe('the corpus', () => {
  test('every valid statement parses', () => {
    for (const { q, note } of CASES.filter((c) => c.valid))
      assert.equal(parseQuery(q).kind, 'query', `${q}: ${note}`)
  })

  test('every malformed statement is refused, but for what is left to analysis', () => {
    const left = Object.values(LEFT_TO_ANALYSIS).flat()
    for (const { q, note } of CASES.filter((c) => c.code === 'MALFORMED_QUERY')) {
      if (left.includes(note)) assert.equal(parseQuery(q).kind, 'query', q)
      else refusal(q)
    }
    for (const note of left)
      assert.ok(
        CASES.some((c) => c.note === note),
        `no case: ${note}`,
      )
  })

  test('a statement that only a schema can refuse parses', () => {
    for (const { q } of CASES.filter((c) => !c.valid && c.code !== 'MALFORMED_QUERY')) parseQuery(q)
  })

  test('every node points at its first character', () => {
    const seen = new Set<string>()
    const visit = (text: string, node: unknown) => {
      if (Array.isArray(node)) for (const child of node) visit(text, child)
      if (Array.isArray(node) || node === null || typeof node !== 'object') return
      const { kind, at, segments, name, text: typed } = node as Record<string, unknown>
      assert.equal(typeof at, 'number', `${kind} in ${text}`)
      assert.match(text.slice(at as number, (at as number) + 1), /[\w'(+-]/, `${kind} in ${text}`)
      const start = kind === 'path' ? (segments as string[])[0] : kind === 'call' ? name : typed
      if (kind !== 'query' && kind !== 'currency' && typeof start === 'string')
        assert.ok(text.startsWith(start, at as number), `${kind} in ${text}`)
      seen.add(kind as string)
      for (const child of Object.values(node)) visit(text, child)
    }
    for (const { q } of CASES.filter((c) => c.valid)) visit(q, parseQuery(q))
    assert.ok(seen.size > 25, [...seen].join())
  })
})

describe('words', () => {
  test('keywords, functions and named dates are read in any letter case', () => {
    const text =
      'SELECT COUNT_DISTINCT(x), CALENDAR_YEAR(convertTimezone(y)) FROM a WHERE d > LAST_N_DAYS:3 AND b IN (NULL, TRUE) ' +
      'WITH USER_MODE GROUP BY ROLLUP(c) HAVING GROUPING(c) = 1 ORDER BY c DESC NULLS LAST LIMIT 1 OFFSET 2 FOR VIEW'
    const withoutNamesAsTyped = (tree: unknown) =>
      JSON.stringify(tree, function (this: { kind?: string }, key: string, child: unknown) {
        return key === 'text' || (key === 'name' && this.kind === 'call') ? undefined : child
      })
    assert.equal(withoutNamesAsTyped(parseQuery(text.toLowerCase())), withoutNamesAsTyped(parseQuery(text)))
  })

  test('Order, Group, Type, Format, Count, Case, Event and the like are names', () => {
    for (const object of ['Order', 'Group', 'Case', 'Event', 'Offset', 'For', 'Update', 'Typeof', 'Fields'])
      assert.equal(parseQuery(`SELECT Id FROM ${object} WHERE Id = null`).from.object.text, object)
    const { items } = parseQuery(
      'SELECT Type, Format, Count, Order, Max, Typeof, Fields, End, x.From FROM Case',
    )
    assert.deepEqual(
      items.map((item) => item.kind),
      Array(9).fill('field'),
    )
  })

  test('a reserved word is no alias and no name', () => {
    assert.equal(refusal('SELECT COUNT(Id) LIKE FROM A'), "unexpected token: 'LIKE'")
    assert.equal(refusal('SELECT Id FROM A NULLS'), "unexpected token: 'NULLS'")
    assert.equal(refusal('SELECT Id, FROM A'), "unexpected token: 'FROM'")
    assert.equal(refusal('SELECT Id FROM WHERE Id = null'), "unexpected token: 'WHERE'")
  })

  test('a word that only begins a clause can be an alias', () => {
    assert.equal(parseQuery('SELECT order.Id FROM Order order').from.alias?.text, 'order')
    assert.equal(parseQuery('SELECT Id FROM Order order ORDER BY Id').from.alias?.text, 'order')
    assert.equal(parseQuery('SELECT Id FROM A FOR UPDATE').forClauses[0]?.purpose, 'UPDATE')
    assert.equal(refusal('SELECT Id FROM A ORDER Name'), "unexpected token: 'Name'")
    assert.equal(refusal('SELECT Id FROM A OFFSET'), 'unexpected token: <EOF>')
    assert.equal(refusal('SELECT Id FROM A FOR'), 'unexpected token: <EOF>')
    assert.match(refusal('SELECT Id FROM A FOR, A.B'), /^unexpected token: ','/)
  })

  test('no blank is needed around punctuation, any blank is good', () => {
    const tight = parseQuery("SELECT Id,(SELECT Id FROM Cs)FROM A WHERE(a='x')AND b<=3")
    const loose = parseQuery("SELECT\tId ,\r\n( SELECT Id FROM Cs ) FROM A WHERE ( a = 'x' ) AND\nb <= 3 ")
    assert.deepEqual(shape(tight), shape(loose))
    assert.equal(refusal('SELECT Id FROM A WHERE b <= 3AND c = 1'), "unexpected token: '3AND'")
  })
})

describe('the tree', () => {
  test('holds every clause of a query', () => {
    const query = parseQuery(
      'SELECT c.Name n FROM Contact c, c.Account a, a.Owner USING SCOPE mine WHERE a.Name != null ' +
        'WITH DATA CATEGORY G__c ABOVE (x__c, y__c) AND P__c AT z__c GROUP BY CUBE(a, DAY_ONLY(b)) HAVING MAX(x) > 1 ' +
        'ORDER BY COUNT(Id) DESC NULLS LAST, b LIMIT 5 OFFSET 6 FOR VIEW FOR REFERENCE UPDATE TRACKING, VIEWSTAT',
    )
    assert.equal(query.from.alias?.text, 'c')
    assert.deepEqual(
      query.fromPaths.map((from) => [from.path.segments.join('.'), from.alias?.text]),
      [
        ['c.Account', 'a'],
        ['a.Owner', undefined],
      ],
    )
    assert.equal(query.scope?.name.text, 'mine')
    assert.ok(query.with?.kind === 'withDataCategory')
    assert.deepEqual(
      query.with.filters.map((filter) => [filter.operator, filter.categories.length]),
      [
        ['ABOVE', 2],
        ['AT', 1],
      ],
    )
    assert.deepEqual([query.grouping?.kind, query.grouping?.items.length], ['cube', 2])
    assert.equal(query.having?.kind, 'comparison')
    assert.deepEqual(
      query.orderBy.map((item) => [item.by.kind, item.direction, item.nulls]),
      [
        ['call', 'DESC', 'LAST'],
        ['path', undefined, undefined],
      ],
    )
    assert.deepEqual([query.limit?.value, query.offset?.value], [5, 6])
    assert.deepEqual(
      query.forClauses.map((clause) => clause.purpose),
      ['VIEW', 'REFERENCE'],
    )
    assert.deepEqual(
      query.updateClauses.map((clause) => clause.target),
      ['TRACKING', 'VIEWSTAT'],
    )
  })

  test('holds the kinds of WITH', () => {
    const kinds = ['USER_MODE', 'RecordVisibilityContext (a=1, b=true)', "UserId = '005'", 'Data = 1']
    assert.deepEqual(
      kinds.map((text) => parseQuery(`SELECT Id FROM A WITH ${text}`).with?.kind),
      ['withMode', 'withVisibility', 'withValue', 'withValue'],
    )
  })

  test('tells one COUNT from the other, and keeps the name of a function as typed', () => {
    assert.deepEqual(shape(firstItem('count()')), {
      kind: 'function',
      call: { kind: 'call', name: 'count', function: 'COUNT', args: [] },
    })
    const format = firstItem('Format(ToLabel(a.b)) x')
    assert.ok(format.kind === 'function' && format.call.function === 'FORMAT')
    assert.equal(format.alias?.text, 'x')
    assert.deepEqual(shape(format.call.args[0]), {
      kind: 'call',
      name: 'ToLabel',
      function: 'toLabel',
      args: [{ kind: 'path', segments: ['a', 'b'] }],
    })
  })

  test('refuses a function that is unknown, misplaced or has other arguments', () => {
    assert.equal(refusal('SELECT YEAR(d) FROM A'), "unexpected token: '('")
    assert.equal(refusal('SELECT COUNT(Id) FROM A GROUP BY SUM(x)'), "unexpected token: 'SUM'")
    const calls = ['SUM()', 'SUM(a, b)', 'SUM(1)', 'MAX(COUNT(a))', 'FIELDS(SOME)', 'FIELDS()', 'a.SUM(b)']
    const locations = ["DISTANCE(a, b, 'm')", 'DISTANCE(a, b)', 'GEOLOCATION(1, 2)', 'convertTimezone(a)']
    for (const call of [...calls, ...locations]) refusal(`SELECT ${call} FROM A`)
  })

  test('holds TYPEOF with its branches', () => {
    const item = firstItem('TYPEOF What WHEN A THEN x, y.z WHEN Group THEN x ELSE Name, Id END')
    assert.ok(item.kind === 'typeof')
    assert.deepEqual(
      item.branches.map((branch) => [branch.object.text, branch.fields.length]),
      [
        ['A', 2],
        ['Group', 1],
      ],
    )
    assert.equal(item.otherwise?.length, 2)
    const wrong = ['WHEN A THEN x', 'ELSE x END', 'WHEN A THEN END', 'WHEN A THEN TOLABEL(x) END', 'END']
    for (const rest of [...wrong, 'WHEN A THEN TYPEOF y WHEN B THEN z END END'])
      refusal(`SELECT TYPEOF What ${rest} FROM A`)
  })

  test('a child query has a prefix, and fewer clauses', () => {
    const child = firstItem(
      '(SELECT c.x, (SELECT y FROM Ds) FROM a.Cs c WHERE z = 1 ORDER BY z LIMIT 3 OFFSET 4)',
    )
    assert.ok(child.kind === 'childQuery')
    const { prefix, relationship, alias } = child.from
    assert.deepEqual([prefix?.text, relationship.text, alias?.text], ['a', 'Cs', 'c'])
    assert.deepEqual([child.where?.kind, child.orderBy.length, child.limit?.value], ['comparison', 1, 3])
    for (const rest of ['Cs GROUP BY x', 'Cs USING SCOPE mine', 'Cs, Cs.D', 'Cs FOR VIEW', 'a.b.Cs', ''])
      refusal(`SELECT (SELECT x FROM ${rest}) FROM A`)
  })

  test('a semi-join is told from a list, and has no clause but WHERE', () => {
    const semiJoin = where('Id NOT IN (SELECT a FROM B b WHERE c IN (1, null))')
    assert.ok(semiJoin.kind === 'semiJoin' && semiJoin.negated)
    assert.equal(semiJoin.query.from.alias?.text, 'b')
    assert.ok(semiJoin.query.where?.kind === 'in' && semiJoin.query.where.values.length === 2)
    for (const rest of ['LIMIT 1', 'OFFSET 1', 'ORDER BY a', 'FOR UPDATE', 'GROUP BY a'])
      assert.match(refusal(`SELECT Id FROM A WHERE Id IN (SELECT a FROM B ${rest})`), /^unexpected token: '/)
    for (const text of ['Id = (SELECT a FROM B)', 'f INCLUDES (SELECT a FROM B)', 'Id IN ()'])
      refusal(`SELECT Id FROM A WHERE ${text}`)
  })

  test('one level of a condition holds only ANDs, only ORs or one NOT', () => {
    assert.equal(refusal('SELECT Id FROM A WHERE a=1 AND b=2 OR c=3'), "unexpected token: 'OR'")
    assert.equal(refusal('SELECT Id FROM A WHERE a=1 OR (b=2 OR c=3 AND d=4)'), "unexpected token: 'AND'")
    assert.equal(refusal('SELECT Id FROM A WHERE NOT a=1 AND b=2'), "unexpected token: 'AND'")
    assert.equal(refusal('SELECT Id FROM A WHERE a=1 AND NOT b=2'), "unexpected token: 'NOT'")
    assert.equal(refusal('SELECT Id FROM A WHERE NOT NOT a=1'), "unexpected token: 'NOT'")
    const nested = where('(a=1 OR b<>2) AND (NOT c EXCLUDES (null)) AND ((d > 3))')
    assert.ok(nested.kind === 'and')
    assert.deepEqual(
      nested.terms.map((term) => term.kind),
      ['or', 'not', 'comparison'],
    )
    assert.deepEqual(shape(where('a<>1')), shape(where('a != 1')))
  })
})

describe('errors', () => {
  test('a wrong word is named as typed, the end as <EOF>', () => {
    assert.equal(refusal('SELECT Id FRM Account'), "unexpected token: 'FRM'")
    assert.equal(refusal('SELECT COUNT(Id) n frm Account'), "unexpected token: 'n'")
    assert.equal(refusal('SELECT Id FROM Account WHER Name = 1'), "unexpected token: 'WHER'")
    assert.equal(refusal('SELECT'), 'unexpected token: <EOF>')
    assert.equal(refusal(''), 'unexpected token: <EOF>')
  })

  test('clauses stand in their order, HAVING only after GROUP BY', () => {
    const clauses = [
      'LIMIT 1 WHERE a=1',
      'ORDER BY a WITH USER_MODE',
      'OFFSET 1 LIMIT 1',
      'HAVING a=1',
      'FOR VIEW LIMIT 1',
    ]
    for (const text of [...clauses, 'GROUP BY ROLLUP(a), b', 'LIMIT 1 LIMIT 2', 'LIMIT -1', 'LIMIT 1.5'])
      refusal(`SELECT Id FROM A ${text}`)
  })

  test('a wrong character gives its line and its column from 0', () => {
    assert.equal(refusal('SELECT Id\r\nFROM "x"'), `line 2:5 no viable alternative at character '"'`)
    assert.equal(refusal('SELECT 😀'), "line 1:7 no viable alternative at character '😀'")
    assert.equal(refusal('SELECT Id FROM A WHERE a ! 1'), "line 1:26 mismatched character ' ' expecting '='")
    assert.equal(
      refusal("SELECT Id FROM A WHERE a = 'x"),
      "line 1:29 mismatched character '<EOF>' expecting '''",
    )
    for (const comment of ['-- x', '/* x */', '// x', '# x', ';']) refusal(`SELECT Id FROM A ${comment}`)
  })

  test('the first error of the text is the one reported', () => {
    assert.equal(refusal("SELECT Id FRM A WHERE b = 'open"), "unexpected token: 'FRM'")
  })
})
