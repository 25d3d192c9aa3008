import { expect, it } from 'vitest'
import { compareWrittenRecords } from '../duplicates/finder.ts'
import { testApp } from '../testing/app.ts'

const { organization, platform } = await testApp()

interface Planted {
  /** Companies with one number are the same. */
  readonly same: number
  readonly name: string
  readonly domains?: readonly string[]
  readonly phone?: string
  readonly vatId?: string
  readonly address?: { line1?: string; postalCode?: string; city: string; country?: string }
}

const berlin = { line1: 'Lindenstraße 12', postalCode: '10969', city: 'Berlin', country: 'DE' }
const hamburg = { line1: 'Hafenweg 3', postalCode: '20457', city: 'Hamburg', country: 'DE' }
const office = { line1: 'Turmplatz 1', postalCode: '60311', city: 'Frankfurt', country: 'DE' }

/** Duplicates of all kinds. */
const duplicates: readonly Planted[] = [
  { same: 1, name: 'Northwind Traders GmbH', domains: ['northwind.example'], address: berlin },
  { same: 1, name: 'Northwind Traders', phone: '+4930111111' },
  { same: 1, name: 'NORTHWIND TRADERS G.m.b.H.', domains: ['northwind-traders.test'] },
  { same: 2, name: 'Café Élan', address: { city: 'Paris' } },
  { same: 2, name: 'Cafe Elan S.A.R.L.', address: { city: 'Paris' } },
  { same: 3, name: 'Müller & Söhne KG', phone: '+4940222222' },
  { same: 3, name: 'Mueller und Soehne', address: hamburg },
  { same: 4, name: 'Lindqvist Möbler AB', vatId: 'SE556677889901' },
  { same: 4, name: 'Lindqist Mobler', vatId: 'SE556677889901' },
  { same: 5, name: 'ООО Газтехника', phone: '+74951234567' },
  { same: 5, name: 'Gaztekhnika Ltd', phone: '+74951234567' },
  { same: 6, name: '株式会社サクラ' },
  { same: 6, name: 'さくら', domains: ['sakura.example'] },
  { same: 7, name: 'Brightwater Inc.', domains: ['brightwater.example'] },
  { same: 7, name: 'Brightwater Systems', domains: ['brightwater.test'], phone: '+12025550123' },
  { same: 7, name: 'Brightwater', phone: '+12025550123' },
  { same: 8, name: 'Hotel Seeblick', address: { ...hamburg, line1: 'Seestr. 4' } },
  { same: 8, name: 'Seeblick GmbH', address: { ...hamburg, line1: 'Seestraße 4' }, phone: '+4940333333' },
  { same: 8, name: 'Hotel Seeblick GmbH', phone: '+4940333333' },
  { same: 9, name: 'Pemberton Logistics Ltd', vatId: 'GB123456789' },
  { same: 9, name: 'P & L Haulage', vatId: 'GB123456789', phone: '+442079460100' },
  { same: 10, name: 'Traders, Eastwick', address: { city: 'Leeds' } },
  { same: 10, name: 'Eastwick Traders plc', domains: ['eastwick.example'] },
  { same: 11, name: 'Valdemarsen ApS', domains: ['valdemarsen.example'] },
  { same: 11, name: 'Valdemarssen', domains: ['valdemarsen.test'] },
  { same: 12, name: 'Kowalski Sp. z o.o.', address: { city: 'Kraków' } },
  { same: 12, name: 'KOWALSKI', address: { city: 'Krakow' } },
  { same: 13, name: 'O’Brien Consulting' },
  { same: 13, name: 'OBrien Consulting Ltd.' },
]

/** Companies that have something in common and are not the same. */
const others: readonly Planted[] = [
  { same: 20, name: 'Moss Berlin', phone: '+4930444444', vatId: 'DE111111111', address: berlin },
  { same: 21, name: 'Moss Hamburg', phone: '+4930444444', vatId: 'DE111111111', address: hamburg },
  { same: 22, name: 'Hotel Sonne', address: { city: 'Bern' }, domains: ['sonne-bern.example'] },
  { same: 23, name: 'Hotel Sonne', address: { city: 'Graz' }, domains: ['sonne-graz.example'] },
  { same: 24, name: 'Hotel Mond', address: { city: 'Bern' } },
  { same: 25, name: 'Restaurant Mond', address: { city: 'Ulm' } },
  { same: 26, name: 'Hotel' },
  { same: 27, name: 'Hotel GmbH' },
  { same: 28, name: 'Restaurant' },
  { same: 29, name: 'Byron Holding GmbH', vatId: 'DE222222222', address: { ...berlin, line1: 'Byronweg 1' } },
  { same: 30, name: 'Byron GmbH', vatId: 'DE333333333', address: { ...berlin, line1: 'Byronweg 1' } },
  { same: 31, name: 'Byron KG', vatId: 'DE444444444', address: { ...berlin, line1: 'Byronweg 1' } },
  { same: 32, name: 'Müller Elektro', address: { city: 'Ulm' } },
  { same: 33, name: 'Möller Elektro', address: { city: 'Ulm' } },
  { same: 34, name: 'Projektgesellschaft 1' },
  { same: 35, name: 'Projektgesellschaft 2' },
  { same: 36, name: 'Team A' },
  { same: 37, name: 'Team B' },
  { same: 38, name: 'Lovelace Software', domains: ['lovelace.example'] },
  { same: 39, name: 'Lovelace Catering' },
  ...['Aster', 'Birke', 'Clivia', 'Distel', 'Erika', 'Farn', 'Ginster', 'Heide'].map((name, at) => ({
    same: 40 + at,
    name: `${name} Partner`,
    phone: '+4969555555',
    address: office,
  })),
  { same: 50, name: 'Info Service', domains: ['info.example'] },
  { same: 51, name: 'Web Service', domains: ['info.test'] },
  { same: 52, name: 'Noether Apotheke', vatId: 'DE555555555' },
  { same: 53, name: 'Noether Apotheke', vatId: 'DE666666666' },
]

it('finds the duplicates among 60 companies, and takes no branches and namesakes for them', async () => {
  const { call } = await organization()
  const companies = new Map<string, Planted>()
  for (const planted of [...duplicates, ...others]) {
    const { same: _same, ...company } = planted
    const { status, body } = await call('POST', '/v1/companies', company)
    expect([company, status]).toEqual([company, 201])
    companies.set(body.id, planted)
  }
  await compareWrittenRecords(platform)
  const { data } = (await call('GET', '/v1/companies/duplicates?limit=100')).body
  const offered: [string, string][] = data.map((pair: { companies: { id: string }[] }) => pair.companies.map(({ id }) => id))
  const isPlanted = ([a, b]: readonly [string, string]): boolean => companies.get(a)?.same === companies.get(b)?.same
  const all = [...companies.keys()]
  const planted = all.flatMap((a, at) => all.slice(at + 1).map((b): [string, string] => [a, b])).filter(isPlanted)
  const found = new Set(offered.map((pair) => pair.toSorted().join(' ')))
  const names = (pairs: readonly (readonly string[])[]) => pairs.map((pair) => pair.map((id) => companies.get(id)?.name))
  const missed = planted.filter((pair) => !found.has(pair.toSorted().join(' ')))
  const wrong = offered.filter((pair) => !isPlanted(pair))
  expect(1 - missed.length / planted.length, JSON.stringify(names(missed))).toBeGreaterThanOrEqual(0.95)
  expect(1 - wrong.length / offered.length, JSON.stringify(names(wrong))).toBeGreaterThanOrEqual(0.95)
})
