import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePdf, type Mark } from '../../testing/make-pdf.ts'
import type { ExtractedDocument } from './document.ts'
import { parseDocument } from './parse.ts'

const root = join(import.meta.dirname, '../../..')
const evaluation = join(process.env['EVALUATION_DATA'] ?? join(root, '../shared/eval'), 'docs/pdf')

async function blocksOf(...pages: readonly (readonly Mark[])[]): Promise<string[]> {
  return shown(await parseDocument({ bytes: makePdf(pages.map((marks) => ({ marks }))) }))
}

/** Returns each block as its kind and text. */
function shown({ text, blocks }: ExtractedDocument): string[] {
  return blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)
}

function tablesOf(document: ExtractedDocument): string[] {
  return shown(document).filter((block) => block.startsWith('table:'))
}

/** Lines of text below each other. */
function lines(texts: readonly string[], x: number, y: number, options: { step?: number; font?: 'bold' | 'monospace' } = {}): Mark[] {
  const { step = 13, ...font } = options
  return texts.map((text, at) => ({ text, x, y: y + at * step, ...font }))
}

const prose = (of: string): string[] => Array.from({ length: 8 }, (_, at) => `${of} ${at} drivers sign for the keys and for the ramp`)

describe('tables of a PDF', () => {
  const row = (y: number, ...cells: readonly string[]): Mark[] => cells.map((text, at) => ({ text, x: 70 + at * 150, y }))
  const grid = (xs: readonly number[], ys: readonly number[]): Mark[] => [
    ...xs.map((x): Mark => ({ from: [x, ys[0] ?? 0], to: [x, ys.at(-1) ?? 0] })),
    ...ys.map((y): Mark => ({ from: [xs[0] ?? 0, y], to: [xs.at(-1) ?? 0, y] })),
  ]

  it('equal those of the document that the example was made from', async () => {
    const read = async (path: string): Promise<string[]> =>
      tablesOf(await parseDocument({ bytes: readFileSync(join(root, 'examples', path)), fileName: path }))
    const cells = (table: string): string[] => table.split('\n').map((line) => line.replace(/[‘’]/g, "'"))
    const [pdf, html] = [await read('handbook.pdf'), await read('source/handbook.html')]
    expect(html.length).toBeGreaterThan(4)
    expect(pdf.map(cells)).toEqual(html.map(cells))
  })

  it('have the rows and columns between their lines, and cells with several lines', async () => {
    const blocks = await blocksOf([
      ...grid([65, 215, 365, 515], [90, 110, 145, 165]),
      ...row(104, 'Role', 'Where', 'May decide alone'),
      ...row(124, 'Mechanic', 'workshop,', 'extra work up to 25'),
      ...row(137, '', 'bays 1 to 4', 'beyond the estimate'),
      ...row(159, 'Keeper', 'yard', 'taking bikes out'),
    ])
    expect(blocks).toEqual([
      'table: | Role | Where | May decide alone |\n| --- | --- | --- |\n| Mechanic | workshop, bays 1 to 4 | extra work up to 25 beyond the estimate |\n| Keeper | yard | taking bikes out |',
    ])
  })

  it('repeat merged cells in each column', async () => {
    const blocks = await blocksOf([
      ...grid([65, 215, 365], [90, 110]),
      ...grid([65, 215, 290, 365], [110, 130, 150]),
      ...row(104, 'Class', 'Price'),
      ...row(124, 'City', '12'),
      ...row(144, 'Touring', '18'),
      { text: '60', x: 300, y: 124 },
      { text: '90', x: 300, y: 144 },
    ])
    expect(blocks).toEqual(['table: | Class | Price | Price |\n| --- | --- | --- |\n| City | 12 | 60 |\n| Touring | 18 | 90 |'])
  })

  it('have no caption as their header', async () => {
    const blocks = await blocksOf([
      { from: [65, 72], to: [365, 72] },
      ...grid([65, 215, 365], [90, 110, 130]),
      ...row(84, 'Table 2: Deposits', 'of bikes'),
      ...row(104, 'Class', 'Deposit'),
      ...row(124, 'City bike', '80'),
    ])
    expect(blocks.at(-1)).toBe('table: | Class | Deposit |\n| --- | --- |\n| City bike | 80 |')
    expect(blocks[0]).toContain('Table 2: Deposits')
  })

  it('are not made of formulas or listings', async () => {
    const blocks = await blocksOf([
      ...row(84, 'price(n)', '= rate(n) * days', 'for each bike'),
      ...row(98, '', '= 12 * days', 'for a city bike'),
      ...row(112, 'deposit', '= 80 + 10', 'for a cargo bike'),
      ...row(180, '1', 'int hire(int bike)', '{'),
      ...row(194, '2', 'int days = 0;', '// none yet'),
      ...row(208, '3', 'return', 'days;'),
      ...row(222, '4', '}', '// the end'),
    ])
    expect(blocks.filter((block) => block.startsWith('table'))).toEqual([])
  })

  it('between lines have a row for each line of short cells', async () => {
    const blocks = await blocksOf([
      ...[90, 110, 113, 130, 220].map((y): Mark => ({ from: [65, y], to: [515, y] })),
      { text: 'Bicycles', x: 260, y: 104 },
      ...row(124, 'Class', 'Deposit', 'Bicycles are kept in'),
      ...row(144, 'City', '80', 'the yard'),
      ...row(157, 'Touring', '150', 'the shed behind the yard'),
      ...row(170, 'Cargo', '500', 'the hall'),
      ...row(183, 'Child', '40', 'the shed'),
    ])
    expect(blocks[0]?.split('\n').slice(3)).toEqual([
      '| City | 80 | the yard |',
      '| Touring | 150 | the shed behind the yard |',
      '| Cargo | 500 | the hall |',
      '| Child | 40 | the shed |',
    ])
  })

  it('of the same width are separate if they are apart', async () => {
    const table = (y: number, ...cells: readonly string[]): Mark[] => [
      ...[y - 14, y + 6, y + 40].map((at): Mark => ({ from: [65, at], to: [515, at] })),
      ...row(y, 'Class', 'Deposit', 'Bicycles'),
      ...row(y + 20, ...cells),
      ...row(y + 33, 'Cargo', '500', '6'),
    ]
    const blocks = await blocksOf([...table(104, 'City', '80', '42'), ...table(220, 'Touring', '150', '18')])
    expect(blocks).toEqual(
      ['City | 80 | 42', 'Touring | 150 | 18'].map(
        (cells) => `table: | Class | Deposit | Bicycles |\n| --- | --- | --- |\n| ${cells} |\n| Cargo | 500 | 6 |`,
      ),
    )
  })

  it('are read upright if they are rotated', async () => {
    const upwards = (x: number, ...cells: readonly string[]): Mark[] =>
      cells.map((text, at) => ({ text, x, y: 690 - at * 150, upwards: true }))
    const blocks = await blocksOf([
      ...[90, 110, 130].map((x): Mark => ({ from: [x, 300], to: [x, 700] })),
      ...[300, 400, 550, 700].map((y): Mark => ({ from: [90, y], to: [130, y] })),
      ...upwards(104, 'Class', 'Daily rate', 'Deposit'),
      ...upwards(124, 'City bike', '12', '80'),
    ])
    expect(blocks).toEqual(['table: | Class | Daily rate | Deposit |\n| --- | --- | --- |\n| City bike | 12 | 80 |'])
  })

  it('are no index and no labels of a figure', async () => {
    const entries = ['deposit, 3, 14-16', 'keys, 4, 5', 'ramp, 9', 'trailer, 2, 11', 'depot, 17', 'yard, 3-5', 'brake, 8']
    const blocks = await blocksOf(
      [
        { from: [65, 60], to: [515, 60] },
        { from: [65, 780], to: [515, 780] },
        ...lines(entries, 70, 120),
        ...lines(entries.toReversed(), 320, 120),
      ],
      [{ ellipse: [240, 90, 330, 190] }, ...row(110, '135', '', '45'), ...row(140, '180', 'C', '0'), ...row(170, '225', '', '315')],
    )
    expect(blocks.filter((block) => block.startsWith('table'))).toEqual([])
  })

  it('need no lines if several rows of short cells are aligned', async () => {
    const blocks = await blocksOf([
      ...lines(prose('Above'), 70, 80),
      ...row(210, 'Class', 'Deposit', 'Bikes'),
      ...row(224, 'City bike', '80', '42'),
      ...row(238, 'Touring bike', '150', '18'),
      ...row(252, 'Cargo bike', '500', '6'),
      ...lines(prose('Below'), 70, 280),
    ])
    expect(blocks[1]).toBe(
      'table: | Class | Deposit | Bikes |\n| --- | --- | --- |\n| City bike | 80 | 42 |\n| Touring bike | 150 | 18 |\n| Cargo bike | 500 | 6 |',
    )
    expect(blocks.map((block) => block.split(':')[0])).toEqual(['paragraph', 'table', 'paragraph'])
  })

  it('are not made of prose, code, trees, numbered headings or contents', async () => {
    const blocks = await blocksOf([
      ...lines(['1.1    Hire', '1.2    Return', '1.3    Damage'], 70, 80, { font: 'bold' }),
      ...lines(['yard/', '  bikes.txt      # all bikes', '  keys.txt       # all keys', '  ramps.txt      # all ramps'], 70, 140, {
        font: 'monospace',
      }),
      ...lines(
        [
          'Hire . . . . . . . . . . . . . . . . . . . . 1',
          'Return . . . . . . . . . . . . . . . . . . 4',
          'Damage . . . . . . . . . . . . . . . . . 9',
        ],
        70,
        220,
      ),
      ...lines(prose('Left'), 70, 300),
      ...lines(prose('Right'), 320, 300),
    ])
    expect(blocks.filter((block) => block.startsWith('table'))).toEqual([])
  })
})

describe('the reading order of a PDF', () => {
  it('keeps columns whole below a title, beside a box and above a footer', async () => {
    const blocks = await blocksOf([
      { text: 'A title across both columns of this page of the manual for drivers', x: 70, y: 80, size: 14 },
      ...lines(prose('Left'), 70, 120),
      ...lines(prose('Right').slice(0, 4), 320, 114),
      { from: [315, 180], to: [545, 180] },
      { from: [315, 230], to: [545, 230] },
      { from: [315, 180], to: [315, 230] },
      { from: [545, 180], to: [545, 230] },
      ...lines(['A note in a box', 'has two lines'], 330, 200),
    ])
    const text = blocks.join(' ')
    expect(['A title', 'Left 0', 'Left 7', 'Right 0', 'Right 3', 'A note', 'two lines'].map((part) => text.indexOf(part))).toEqual(
      ['A title', 'Left 0', 'Left 7', 'Right 0', 'Right 3', 'A note', 'two lines']
        .map((part) => text.indexOf(part))
        .toSorted((a, b) => a - b),
    )
    expect(text).not.toContain('Right 0 drivers sign for the keys and for the ramp Left')
  })
})

it('a box between two columns does not interrupt them', async () => {
  const box: Mark[] = [
    { from: [230, 180], to: [370, 180] },
    { from: [230, 240], to: [370, 240] },
    { from: [230, 180], to: [230, 240] },
    { from: [370, 180], to: [370, 240] },
  ]
  const blocks = await blocksOf([
    ...lines(prose('Left'), 70, 80),
    ...lines(prose('Right'), 320, 80),
    ...box,
    ...lines(['A note in a box', 'between the columns'], 240, 205),
    ...lines(['Left 8 drivers sign for', 'Left 9 the keys and for', 'Left 10 the ramp, then'], 70, 195),
    ...lines(['of the trailer Right 8', 'of the keys Right 9', 'of the ramp Right 10'], 390, 195),
    ...lines(prose('Low'), 70, 260),
    ...lines(prose('Last'), 320, 260),
  ])
  const order = ['Left 0', 'Left 8', 'Low 7', 'Right 0', 'Right 8', 'Last 7', 'A note', 'between the columns']
  const places = order.map((part) => blocks.join(' ').indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBe(blocks.join(' ').indexOf(':') + 2)
})

describe('the text of a PDF', () => {
  it('keeps the indentation of code', async () => {
    const code = ['def hire(bike):', '    if bike.free:', '        return True', '', '    return False  # later']
    const blocks = await blocksOf([
      ...lines(prose('Above'), 70, 80),
      ...lines(code, 70, 220, { font: 'monospace' }),
      ...lines(prose('Below'), 70, 320),
    ])
    expect(blocks[1]).toBe(`code: ${code.join('\n')}`)
  })

  it('has no pieces of drawn frames', async () => {
    const corners: Mark[] = [
      { text: 'AAAA', x: 50, y: 220, font: 'drawing' },
      { text: 'BBBB', x: 420, y: 233, font: 'drawing' },
    ]
    const blocks = await blocksOf([
      ...lines(prose('Above'), 70, 80),
      ...corners,
      ...lines(['def hire(bike):', '    return bike'], 90, 220, { font: 'monospace' }),
    ])
    expect(blocks.at(-1)).toBe('code: def hire(bike):\n    return bike')
  })

  it('has paragraphs, divided words and lists', async () => {
    const blocks = await blocksOf([
      ...lines(['The driver signs for the keys and for the ramp before the trailer leaves the depart-', 'ment, and comes back.'], 70, 80),
      ...lines(['Another paragraph begins after a short line, and has the same font as the one before,', 'but ends here.'], 70, 106),
      ...lines(
        ['- one thing', '- another thing that is so long that it does not fit into a single line of this page,', '  so it goes on'],
        70,
        160,
      ),
    ])
    expect(blocks).toEqual([
      'paragraph: The driver signs for the keys and for the ramp before the trailer leaves the department, and comes back.',
      'paragraph: Another paragraph begins after a short line, and has the same font as the one before, but ends here.',
      'list: - one thing\n- another thing that is so long that it does not fit into a single line of this page, so it goes on',
    ])
  })

  it('has no running lines, page numbers and barcodes', async () => {
    const page = (number: number): Mark[] => [
      {
        text: number % 2 === 0 ? `${number} FREE CYCLES` : `${['HIRE', 'RETURN', 'DAMAGE'][(number - 11) / 2]} ${number}`,
        x: 70,
        y: 60,
        size: 9,
      },
      { text: '*9781234567897*', x: 400, y: 100, font: 'barcode' },
      ...lines(prose(`Page ${number}`), 70, 130),
    ]
    const text = (await blocksOf(...Array.from({ length: 6 }, (_, at) => page(11 + at)))).join('\n')
    expect(text).not.toMatch(/FREE|HIRE|RETURN|DAMAGE|9781/)
    expect(text).toContain('Page 16 7 drivers')
  })
})

describe('running headers', () => {
  const page = (number: number, header: string | undefined): Mark[] => [
    ...(header === undefined ? [] : [{ text: header, x: 70, y: 50, size: 9, font: 'bold' as const }]),
    ...lines(prose(`Page ${number}`), 70, 130),
  ]
  const read = async (headers: readonly (string | undefined)[]): Promise<string> =>
    (await blocksOf(...headers.map((header, at) => page(at + 1, header)))).join('\n')

  it('may have other words on a few pages, at the same place in the same font', async () => {
    const text = await read(['Preface', ...Array.from({ length: 3 }, () => 'Hire'), ...Array.from({ length: 4 }, () => 'Return')])
    expect(text).not.toMatch(/Preface|Hire|Return/)
  })

  it('may stand on every second page of a short document', async () => {
    expect(await read([undefined, 'Handbook', undefined, 'Handbook'])).not.toContain('Handbook')
    expect(await read([undefined, 'Hire', undefined, 'Return'])).toMatch(/Hire[^]*Return/)
  })
})

describe.skipIf(!existsSync(evaluation))('real PDFs', () => {
  const read = async (name: string): Promise<ExtractedDocument> => parseDocument({ bytes: readFileSync(join(evaluation, name)) })

  it.each([
    [
      'latex-multicolumn.pdf',
      [
        'Country | Population (millions) | Area (km2) | Capital | Official Language',
        'Austria | 8.9 | 83,879 | Vienna | German',
        'Belgium | 11.5 | 30,689 | Brussels | Dutch, French, German',
        'Czech Republic | 10.7 | 78,866 | Prague | Czech',
        'Denmark | 5.8 | 42,951 | Copenhagen | Danish',
        'Finland | 5.5 | 338,424 | Helsinki | Finnish, Swedish',
      ],
    ],
    [
      'olmocr-olmo2-pg4.pdf',
      [
        'Source | Type | Tokens | Words | Bytes | Docs',
        'Pretraining ✦ OLMo 2 1124 Mix |  |  |  |  | ',
        'DCLM-Baseline | Web pages | 3.71T | 3.32T | 21.32T | 2.95B',
        'StarCoder filtered version from OLMoE Mix | Code | 83.0B | 70.0B | 459B | 78.7M',
        'peS2o from Dolma 1.7 | Academic papers | 58.6B | 51.1B | 413B | 38.8M',
        'arXiv | STEM papers | 20.8B | 19.3B | 77.2B | 3.95M',
        'OpenWebMath | Math web pages | 12.2B | 11.1B | 47.2B | 2.89M',
        'Algebraic Stack | Math proofs code | 11.8B | 10.8B | 44.0B | 2.83M',
        'Wikipedia & Wikibooks from Dolma 1.7 | Encyclopedic | 3.7B | 3.16B | 16.2B | 6.17M',
        'Total |  | 3.90T | 3.48T | 22.38T | 3.08B',
      ],
    ],
  ])('have their tables cell by cell: %s', async (name, rows) => {
    const [table = ''] = tablesOf(await read(name))
    const [header = '', , ...body] = table.replace('table: ', '').split('\n')
    expect([header, ...body]).toEqual(rows.map((row) => `| ${row} |`))
  })

  it.each([
    [
      'multi-column-2p.pdf',
      ['Abstract', '1 Introduction', 'Retrieval in open-domain QA is usually', 'However, it is generally believed', '2 Background'],
    ],
    [
      'olmocr-openstax_caculus_pg_273.pdf',
      ['150.', '153. A rocket', '156. The position', '157. A potato', '158. The position', '159. The following'],
    ],
    // Footnotes end each column; by the picture of the pages.
    [
      'normal_4pages.pdf',
      [
        '들어가며',
        '2020.3.30. 0시',
        '1) 손해보험의',
        '이슈가 될 것으로',
        '따라서 코로나-19와 관련하여',
        '질병은 보장대상이 되지 않는 것으로',
        '[표 1]',
        '| 분류 |',
        '기존 생명보험에서',
        '3) 개정 이유는',
        '정된 법에서 이들은',
        '(2) 생명보험 표준약관',
        '현재 「약관의 규제에',
        '5) 「생명보험 표준약관',
        '작성자인 사업자에',
      ],
    ],
  ])('have columns in order: %s', async (name, order) => {
    const { text } = await read(name)
    const places = order.map((part) => text.indexOf(part))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  })

  it.each(['debmake-doc.ru.pdf', 'debmake-doc.ja.pdf', 'multi_page.pdf'])(
    'with prose and code only have (almost) no tables: %s',
    async (name) => {
      const document = await parseDocument({ bytes: readFileSync(join(evaluation, name)) })
      expect(tablesOf(document).length).toBeLessThanOrEqual(0.01 * document.blocks.length)
    },
    120_000,
  )
})
