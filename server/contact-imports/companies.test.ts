import type { Company } from '@groundwork/api'
import { expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { contactImports } from '../testing/contact-imports.ts'

const { app, organization } = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })
const { imported, importedAsTried, contactsOf } = contactImports(app)

const companiesOf = async ({ call }: Caller): Promise<Company[]> => (await call('GET', '/v1/companies')).body.data
const file = (...lines: string[]): string => ['email,company,domain', ...lines].join('\n')
const repeated = { created: 0, updated: 0, failed: 0, companiesCreated: 0 }

it('takes the name of a company without letters and digits for a blank cell', async () => {
  const caller = await organization()
  const content = file('a@example.com,-', 'b@example.com,---', 'c@example.com,👋', 'd@example.com,々', 'e@example.com,3M')
  expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: 5, companiesCreated: 1 })
  expect((await imported(caller, content)).counts).toMatchObject({ ...repeated, unchanged: 5 })
  expect(await companiesOf(caller)).toMatchObject([{ name: '3M' }])
  await imported(caller, file('e@example.com,-'), { blanks: 'clear' })
  expect((await contactsOf(caller)).map(({ companyId }) => companyId)).toEqual([null, null, null, null, null])
})

it('finds the companies of earlier rows as it finds those of earlier imports', async () => {
  const caller = await organization()
  const content = file(
    'a@example.com,,eee.example',
    'b@example.com,EEE.example,',
    'c@example.com,Fff Example,',
    'd@example.com,,fff.example',
  )
  expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: 4, companiesCreated: 2 })
  expect((await imported(caller, content)).counts).toMatchObject({ ...repeated, unchanged: 4 })
  expect((await companiesOf(caller)).map(({ name, domains }) => [name, domains]).toSorted()).toEqual([
    ['Fff Example', []],
    ['eee.example', ['eee.example']],
  ])
})

it('prefers the domain of a company of the same file to a name', async () => {
  const caller = await organization()
  await imported(caller, file('z@example.com,Alpha,'))
  const rows = Array.from({ length: 500 }, (_, at) => `${at}@example.com,Beta,beta.example`)
  const content = file(...rows, 'z@example.com,Alpha,beta.example')
  expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: 500, updated: 1, companiesCreated: 1 })
  expect((await imported(caller, content)).counts).toMatchObject({ ...repeated, unchanged: 501 })
})

it('takes the domains of sites that many companies share for blank cells', async () => {
  const caller = await organization()
  const pages = [
    'https://www.facebook.com/alpha',
    'de.linkedin.com/company/beta',
    'https://sites.google.com/c',
    'gmx.de',
    'wixsite.com',
    'x.com',
  ]
  const content = file(
    ...pages.map((page, at) => `${at}@example.com,Company ${at},${page}`),
    'y@example.com,Own Site,https://own.wixsite.com/start',
    'z@example.com,,https://www.facebook.com/nobody',
  )
  expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: 8, failed: 0, companiesCreated: 7 })
  expect((await imported(caller, content)).counts).toMatchObject({ ...repeated, unchanged: 8 })
  expect(Object.fromEntries((await companiesOf(caller)).map(({ name, domains }) => [name, domains]))).toEqual({
    ...Object.fromEntries(pages.map((_, at) => [`Company ${at}`, []])),
    'Own Site': ['own.wixsite.com'],
  })
})
