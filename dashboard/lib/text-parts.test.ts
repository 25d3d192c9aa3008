import { expect, test } from 'vitest'
import { isRow, partsOf as partsWithOffsets, readableLine, type TextPart } from './text-parts.ts'

const partsOf = (text: string) => partsWithOffsets(text).map(({ start: _start, end: _end, ...part }) => part)

const textOf = (part: TextPart): string => ('text' in part ? part.text : '')

test('splits a text into tables and the text around them', () => {
  expect(partsOf('Prices\n\n| Item | Day |\n| --- | --- |\n| Ramp \\| wide | 12 |\n\nAll in euros.\nWith tax.')).toEqual([
    { kind: 'text', text: 'Prices' },
    { kind: 'table', header: ['Item', 'Day'], rows: [['Ramp | wide', '12']] },
    { kind: 'text', text: 'All in euros.\nWith tax.' },
  ])
})

test('returns rows of a table that continues from an earlier text', () => {
  expect(partsOf('| Ramp | 12 |\n| Cart |  |')).toEqual([
    {
      kind: 'table',
      header: [],
      rows: [
        ['Ramp', '12'],
        ['Cart', ''],
      ],
    },
  ])
})

test('leaves text without tables as it is', () => {
  expect(partsOf('a | b\n  indented\n\nc')).toEqual([{ kind: 'text', text: 'a | b\n  indented\n\nc' }])
  expect(partsOf('')).toEqual([])
})

test('recognizes the row that a line contains', () => {
  expect(isRow('| Ramp \\| wide | 12 |', ['Ramp | wide', '12'])).toBe(true)
  expect(isRow('| Ramp | 12 |', ['Ramp', '13'])).toBe(false)
  expect(isRow('Ramp', ['Ramp'])).toBe(false)
})

test('splits a text into lists with their levels and further lines', () => {
  expect(partsOf('Bring:\n- a passport\n  or a card\n  - with a photo\n* cash\n3. Queue\n4) Pay\n\nThen go.')).toEqual([
    { kind: 'text', text: 'Bring:' },
    {
      kind: 'list',
      items: [
        { level: 0, marker: '•', text: 'a passport\nor a card' },
        { level: 1, marker: '•', text: 'with a photo' },
        { level: 0, marker: '•', text: 'cash' },
        { level: 0, marker: '3.', text: 'Queue' },
        { level: 0, marker: '4)', text: 'Pay' },
      ],
    },
    { kind: 'text', text: 'Then go.' },
  ])
  expect(partsOf('-5 degrees\n2.50 euros\n- \n1985. It rained.').map(({ kind }) => kind)).toEqual(['text'])
})

test('reads lines of tables and lists as text', () => {
  expect(readableLine('| Ramp \\| wide |  | 12 |')).toBe('Ramp | wide · 12')
  expect(readableLine('  - a passport')).toBe('a passport')
  expect(readableLine('Open - always')).toBe('Open - always')
})

const samples = {
  typescript:
    "import { Client } from '@acme/sdk'\n\nconst client = new Client({\n  token,\n})\n\nfor await (const each of client.list()) {\n  console.log(each.name)\n}",
  python: 'def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result',
  json: '{\n  "name": "Bicycle",\n  "price": 12.5,\n  "tags": ["city"]\n}',
  shell: 'curl -sS "$API/v1/contacts" \\\n  -H "Authorization: Bearer $TOKEN"\nnpm install @acme/sdk',
  sql: 'SELECT name, price\nFROM bicycle\nWHERE price < 100\nORDER BY name;',
  html: '<ul class="list">\n  <li onclick="alert(1)">One</li>\n</ul>',
  c: '#include <stdio.h>\n\nint main(void) {\n\tprintf("hello");\n\treturn 0;\n}',
  oneLine: 'npm install @acme/sdk',
  oneObject: '{ "status": "ready" }',
}

test.each(Object.entries(samples))('recognizes %s as one block of code, with its lines and its place', (_name, code) => {
  const text = `Install it first, then call it from your program.\n\n${code}\n\nThe call returns the result. It may take a moment.`
  const parts = partsWithOffsets(text)
  expect(parts.map(({ kind }) => kind)).toEqual(['text', 'code', 'text'])
  expect(parts.map(textOf)[1]).toBe(code)
  for (const part of parts) expect(text.slice(part.start, part.end)).toBe(textOf(part))
})

test.each([
  'The shop opens at nine; it closes at six.\nOn Sundays, it is closed.',
  'Dear Ms Hopper,\nthank you for your letter of 4 May (received today).\nKind regards,\nAnn',
  'Opening hours:\nMonday to Friday: 9:00–18:00\nSaturday: 10:00–14:00',
  'Rent a bicycle for €12 a day\n(deposit: €50)\nfor adults and children',
  'From the harbour, walk north.\nIf it rains, take the bus.\nFor children, there is a playground.',
  'import duties apply to goods from other countries\nexport papers are needed too',
  'Go to the station.\nMake a reservation (by telephone).',
  'هذا النص عربي.\nالمتجر مفتوح (كل يوم).',
  '営業時間は九時から。\n日曜日は休み。',
])('leaves prose as text: %j', (text) => expect(partsWithOffsets(text).map(({ kind }) => kind)).toEqual(['text']))

test('has the place of each part', () => {
  const text = 'Prices\n\n| Item | Day |\n| --- | --- |\n| Ramp | 12 |\n\n- one\n- two\n\nDone.'
  expect(partsWithOffsets(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
    ['text', 'Prices'],
    ['table', '| Item | Day |\n| --- | --- |\n| Ramp | 12 |'],
    ['list', '- one\n- two'],
    ['text', 'Done.'],
  ])
})
