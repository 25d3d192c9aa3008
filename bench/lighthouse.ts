import { chromiumPath } from '@groundwork/e2e/chromium'
import { publicForms } from '@groundwork/e2e/dashboard/public-forms'
import { signedIn, type SignedIn } from '@groundwork/e2e/dashboard/signed-in'
import { program, root } from '@groundwork/e2e/program'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installed } from './peers/install.ts'
import { printTable, withEnds } from './run.ts'

const lighthouseVersion = '12.8.2'
/** Names of the pages to measure; all by default. */
const chosen = process.argv.slice(2)
/** The median of this many runs counts, because the time of a run depends on other work of the machine. */
const runs = Number(process.env['RUNS'] ?? 3)
/** Both by default. */
const forms = (['desktop', 'mobile'] as const).filter((form) => (process.env['FORM'] ?? form) === form)
/** Folder for the reports of the median runs, with the causes of each score. */
const reportsFolder = process.env['REPORTS']

/** Lighthouse waits for a quiet network for this long, in vain: the event stream of a page stays open. */
const maxLoadMs = 15_000
/** Chromium sometimes stops answering. A run that takes longer is repeated. */
const maxRunMs = 90_000
const maxAttempts = 3

const categories = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof categories)[number]

interface Report {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>
}

await withEnds(async (atEnd) => {
  if (chromiumPath === undefined) throw new Error('Chromium is missing. Install it, or set CHROMIUM_PATH.')
  const lighthouse = join(await installed('lighthouse', lighthouseVersion), 'node_modules/lighthouse/cli/index.js')
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-lighthouse-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const server = await program(atEnd)
  await server.start()
  const owner = await signedIn(server)
  const headers = join(folder, 'headers.json')
  await writeFile(headers, JSON.stringify({ Cookie: await cookieOf(owner) }))
  const pages = [...(await fill(owner)), ...(await formsWithoutSession(owner, atEnd))]

  const measure = async (url: string, isPublic: boolean, form: 'desktop' | 'mobile'): Promise<Report> => {
    const report = join(folder, 'report.json')
    const options = [
      `--only-categories=${categories.join(',')}`,
      '--output=json',
      `--output-path=${report}`,
      `--max-wait-for-load=${maxLoadMs}`,
      // No score needs it.
      '--disable-full-page-screenshot',
      '--quiet',
      '--no-enable-error-reporting',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update',
      ...(form === 'desktop' ? ['--preset=desktop'] : []),
      ...(isPublic ? [] : [`--extra-headers=${headers}`]),
    ]
    const env = { ...process.env, CHROME_PATH: chromiumPath }
    for (let attempt = 1; ; attempt++) {
      try {
        // At SIGINT, Lighthouse ends Chromium too.
        const limits = { timeout: maxRunMs, killSignal: 'SIGINT' } as const
        await promisify(execFile)(process.execPath, [lighthouse, url, ...options], { cwd: folder, env, ...limits })
        return JSON.parse(await readFile(report, 'utf8')) as Report
      } catch (error) {
        if (attempt === maxAttempts) throw error
        process.stderr.write(`Repeating ${form} of ${url}: ${String(error)}\n`)
      }
    }
  }

  const rows: string[][] = []
  const lost = new Set<string>()
  for (const { name, url, isPublic } of pages.filter((page) => chosen.length === 0 || chosen.includes(page.name))) {
    for (const form of forms) {
      const reports: Report[] = []
      while (reports.length < runs) reports.push(await measure(url, isPublic, form))
      const report = reports.toSorted((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'))[Math.floor(runs / 2)]
      if (report === undefined) throw new Error('no run was made')
      const value = (audit: string): string => report.audits[audit]?.displayValue?.replaceAll(/\s/g, ' ') ?? ''
      const scores = categories.map((category) => String(Math.round(scoreOf(report, category) * 100)))
      const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map(value)
      rows.push([name, form, ...scores, ...times])
      process.stderr.write(`${rows.at(-1)?.join(' ')}\n`)
      if (reportsFolder !== undefined) {
        await mkdir(reportsFolder, { recursive: true })
        await writeFile(join(reportsFolder, `${name}-${form}.json`), JSON.stringify(report))
      }
      for (const fault of faultsOf(report)) lost.add(`${name} ${form}: ${fault}`)
    }
  }
  const columns = ['page', 'form', ...categories, 'FCP', 'LCP', 'TBT', 'CLS']
  printTable(`Lighthouse ${lighthouseVersion}, median of ${runs}, Node ${process.versions.node}`, columns, rows)
  process.stdout.write(lost.size === 0 ? '' : `\nPoints lost besides times:\n\n${[...lost].map((each) => `- ${each}\n`).join('')}`)
})

function scoreOf({ categories: scores }: Report, category: Category): number {
  return scores[category].score ?? 0
}

/** Returns the audits that cost points of accessibility and best practices. */
function faultsOf(report: Report): string[] {
  return (['accessibility', 'best-practices'] as const).flatMap((category) =>
    report.categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${id} (${report.audits[id]?.title ?? ''})`),
  )
}

async function cookieOf(owner: SignedIn): Promise<string> {
  const held: { name: string; value: string }[] = []
  await owner.enter({ addCookies: async (cookies) => void held.push(...cookies) })
  return held.map(({ name, value }) => `${name}=${value}`).join('; ')
}

interface MeasuredPage {
  readonly name: string
  readonly url: string
  readonly isPublic: boolean
}

/** Fills the organization with what a small business has, and returns its pages. */
async function fill({ api, slug, url }: SignedIn): Promise<MeasuredPage[]> {
  const base = await api.bases.create({ name: 'Harbour Cycles' })
  for (const name of ['faq.md', 'handbook.pdf', 'price-list.csv', 'rental-terms.txt', 'warranty.docx']) {
    const bytes = new Uint8Array(await readFile(join(root, 'examples', name)))
    const { storageUrl } = await api.uploads.create(bytes, { name, type: 'application/octet-stream' })
    const { id } = await api.bases.sources.create(base.id, { type: 'file', name, storageUrl })
    await api.bases.sources.waitUntilProcessed(base.id, id)
  }
  for (const query of ['Are there vouchers?', 'How long is the warranty?']) await api.bases.search(base.id, { query })
  const contacts = Array.from({ length: 300 }, (_, index) => ({
    email: `guest${index}@example.com`,
    firstName: ['Ada', 'Grace', 'Alan', 'Barbara'][index % 4] ?? '',
    lastName: `Guest ${index}`,
    tags: index % 5 === 0 ? ['Rental'] : [],
  }))
  await api.contacts.batch({ matchOn: 'email', contacts })
  const contact = await api.contacts.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460018' })
  await api.contacts.activities.create(contact.id, { type: 'note', text: 'Wants three cargo bicycles by May.' })
  const items = [
    { description: 'Cargo bicycle with a box for children', quantity: '3', unitPrice: '2100', taxes: [{ name: 'VAT', rate: '19' }] },
    { description: 'Child seat', quantity: '3', unitPrice: '80', optional: true, taxes: [{ name: 'VAT', rate: '19' }] },
  ]
  const offer = { contactId: contact.id, currency: 'EUR', items, message: 'Thank you for your visit.' }
  for (let number = 0; number < 40; number++) await api.proposals.create({ ...offer, title: `Offer ${number}`, draft: number % 2 === 0 })
  const sent = await api.proposals.create({ ...offer, title: 'Three cargo bicycles' })
  const company = await api.companies.create({ name: 'Analytical Engines', domains: ['example.org'] })
  const twin = await api.contacts.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', companyId: company.id })
  for (const name of ['Grace', 'Alan']) await api.contacts.delete((await api.contacts.create({ firstName: name, lastName: 'Gone' })).id)
  await api.companies.delete((await api.companies.create({ name: 'Gone' })).id)
  await api.customFields.create({ entity: 'contact', name: 'Frame size', type: 'text' })
  await api.invitations.create({ email: 'guest@example.com', role: 'viewer' })
  const webhook = await api.webhooks.create({ url: 'https://example.com/hook', eventTypes: ['contact.created'] })
  const source = (await api.bases.sources.list(base.id, { limit: 1 }).page()).data[0]
  const inside = {
    home: '',
    contacts: '/contacts',
    contact: `/contacts/${contact.id}`,
    'contacts-deleted': '/contacts/deleted',
    import: '/contacts/import',
    merge: `/contacts/${contact.id}/merge?other=${twin.id}`,
    companies: '/companies',
    company: `/companies/${company.id}`,
    'companies-deleted': '/companies/deleted',
    duplicates: '/contacts/duplicates',
    proposals: '/proposals',
    proposal: `/proposals/${sent.id}`,
    'proposal-editor': '/proposals/new',
    bases: '/knowledge',
    base: `/knowledge/${base.id}/sources`,
    source: `/knowledge/${base.id}/sources/${source?.id ?? ''}`,
    searches: `/knowledge/${base.id}/searches`,
    evaluation: `/knowledge/${base.id}/evaluation`,
    reindex: `/knowledge/${base.id}/reindex`,
    'base-settings': `/knowledge/${base.id}/settings`,
    'base-connect': `/knowledge/${base.id}/connect`,
    connect: '/connect',
    playground: '/playground',
    webhooks: '/settings/webhooks',
    webhook: `/settings/webhooks/${webhook.id}`,
    tokens: '/settings/tokens',
    members: '/settings/members',
    audit: '/settings/audit',
    requests: '/settings/requests',
    settings: '/settings/organization',
    'custom-fields': '/settings/custom-fields',
    tags: '/settings/tags',
    system: '/settings/system',
  }
  const outside = { docs: '/docs', guide: '/docs/webhooks', reference: '/docs/reference', verify: '/verify' }
  return [
    ...Object.entries(inside).map(([name, path]) => ({ name, url: `${url}/app/${slug}${path}`, isPublic: false })),
    { name: 'account', url: `${url}/app/account`, isPublic: false },
    { name: 'organization-new', url: `${url}/app/organizations/new`, isPublic: false },
    ...Object.entries(outside).map(([name, path]) => ({ name, url: url + path, isPublic: true })),
    { name: 'proposal-page', url: sent.url ?? '', isPublic: true },
  ]
}

/** Returns the forms that need no session, with links of messages. */
async function formsWithoutSession(owner: SignedIn, atEnd: (end: () => Promise<void>) => void): Promise<MeasuredPage[]> {
  const { pages } = await publicForms(owner, atEnd)
  return pages.map(({ name, path }) => ({ name, url: path.startsWith('/') ? `${owner.url}/app${path}` : path, isPublic: true }))
}
