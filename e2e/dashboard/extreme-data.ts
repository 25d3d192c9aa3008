import type { Contact } from '@groundwork/api'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { signAsAll } from './sign-proposal.ts'
import { owner, type SignedIn } from './signed-in.ts'

const wide = (length: number): string => 'Donaudampfschifffahrtsgesellschaftskapitänspatentprüfung'.repeat(4).slice(0, length)
const arabic = 'الشركة الدولية للتجارة والمقاولات العامة وخدمات النقل البحري'
const hebrew = 'אברהם בן־ציון הכהן לוינשטיין'
const emoji = '👩🏽‍🚀🏳️‍🌈👨‍👩‍👧‍👦🚤'
const longEmail = `${'a'.repeat(60)}@${'subdomain.'.repeat(12)}example.com`
const tags = Array.from({ length: 50 }, (_, index) => `${index % 2 === 0 ? wide(52) : 'وسم طويل'} ${index}`)

/** A host that refuses connections, for `FETCH_ALLOW_HOSTS`. */
export const closedHost = '127.0.0.1:9'

/** Number of contacts besides those with extreme values. */
const rows = Number(process.env['LAYOUT_ROWS'] ?? 300)

type Api = SignedIn['api']

/** For jobs of the server. */
const patience = { timeout: 60_000, interval: 100 }

export interface ShownPage {
  readonly name: string
  /** The path below /app, or the whole URL. */
  readonly path: string
  /** Opens a dialog or menu of the page. */
  readonly open?: (page: Page) => Promise<void>
  /** Whether the page is a list, whose first row must be in view at once. */
  readonly isList?: boolean
}

/** Returns the lists and forms of an organization, which need no records. */
export const emptyPages = (slug: string): ShownPage[] => [
  { name: 'home', path: `/${slug}` },
  { name: 'contacts', path: `/${slug}/contacts`, isList: true },
  { name: 'contacts-deleted', path: `/${slug}/contacts/deleted`, isList: true },
  { name: 'contacts-duplicates', path: `/${slug}/contacts/duplicates` },
  { name: 'contacts-import', path: `/${slug}/contacts/import` },
  { name: 'companies', path: `/${slug}/companies`, isList: true },
  { name: 'companies-duplicates', path: `/${slug}/companies/duplicates` },
  { name: 'companies-deleted', path: `/${slug}/companies/deleted`, isList: true },
  { name: 'proposals', path: `/${slug}/proposals`, isList: true },
  { name: 'proposal-new', path: `/${slug}/proposals/new` },
  { name: 'knowledge', path: `/${slug}/knowledge`, isList: true },
  { name: 'connect', path: `/${slug}/connect` },
  { name: 'playground', path: `/${slug}/playground` },
  { name: 'settings', path: `/${slug}/settings` },
  ...['tokens', 'webhooks', 'audit', 'requests', 'organization', 'members', 'system', 'custom-fields', 'tags'].map((page) => ({
    name: `settings-${page}`,
    path: `/${slug}/settings/${page}`,
  })),
  { name: 'account', path: '/account' },
  { name: 'organization-new', path: '/organizations/new' },
]

/** Fills the organization with values that are hard to lay out, and returns the pages of its records. */
export async function extremeRecords({ api, slug, url, enter }: SignedIn): Promise<{ pages: ShownPage[]; publicPages: ShownPage[] }> {
  await api.organization.update({ name: wide(200), address: `${wide(200)}\n${arabic}`, taxId: 'X'.repeat(60) })
  const field = await api.customFields.create({ entity: 'contact', name: wide(120), type: 'text' })
  const choice = await api.customFields.create({
    entity: 'contact',
    name: arabic,
    type: 'multiselect',
    options: Array.from({ length: 40 }, (_, index) => ({ value: `${wide(100)} ${index}` })),
  })
  const company = await api.companies.create({ name: wide(200), domains: [`${'subdomain.'.repeat(10)}example.com`], tags })
  await api.companies.create({ name: arabic })
  const long = await api.contacts.create({
    firstName: wide(120),
    lastName: wide(120),
    email: longEmail,
    emails: [longEmail, ...Array.from({ length: 19 }, (_, index) => `${index}${longEmail.slice(2)}`)].map((value) => ({ value })),
    phone: '+442079460018',
    jobTitle: wide(120),
    companyId: company.id,
    address: { street: `${wide(120)}\n${arabic}`, city: wide(100), postalCode: '1'.repeat(20), country: 'DE' },
    tags,
    source: wide(120),
    customFields: { [field.id]: wide(224).repeat(4), [choice.id]: Array.from({ length: 40 }, (_, index) => `${wide(100)} ${index}`) },
  })
  const right = await api.contacts.create({
    firstName: arabic,
    lastName: hebrew,
    email: 'rtl@example.com',
    jobTitle: hebrew,
    tags: [arabic, emoji],
  })
  await api.contacts.create({ firstName: emoji, lastName: emoji.repeat(4), phone: '+12025550123' })
  await api.contacts.create({ email: longEmail.replace('a', 'b') })
  for (const who of [long, right])
    for (const text of [wide(224).repeat(5), `${arabic} ${hebrew} ${emoji}`]) {
      await api.contacts.activities.create(who.id, { type: 'note', text })
      await api.contacts.activities.create(who.id, { type: 'task', text, dueAt: '2020-01-01T00:00:00Z' })
    }
  for (let first = 0; first < rows; first += 500) {
    const contacts = Array.from({ length: Math.min(500, rows - first) }, (_, index) => ({
      email: `guest${first + index}@example.com`,
      firstName: 'Guest',
      lastName: String(first + index),
    }))
    await api.contacts.batch({ matchOn: 'email', contacts })
  }
  for (const name of [wide(200), arabic])
    await api.contacts.delete((await api.contacts.create({ firstName: 'Gone', lastName: name.slice(0, 120) })).id)
  const merged = await mergedContact(api)
  const imported = await importOf(api)
  for (const lastName of ['Müller', 'Mueller']) await api.contacts.create({ firstName: wide(100), lastName, phone: '+4930123456' })

  const items = Array.from({ length: 12 }, (_, index) => ({
    description: index % 2 === 0 ? wide(224).repeat(2) : `${arabic} ${hebrew}`,
    quantity: '999999.999',
    unitPrice: '9999.999',
    optional: index > 9,
    taxes: [{ name: wide(60), rate: '19' }],
  }))
  const offer = { contactId: right.id, currency: 'KWD', items, message: `${wide(224).repeat(3)}\n\n${arabic}`, title: wide(200) }
  const draft = await api.proposals.create({ ...offer, draft: true })
  const sent = await api.proposals.create({ ...offer, recipients: [{ role: 'copy' as const, name: wide(200), email: longEmail }] })
  const rightOffer = await api.proposals.create({ ...offer, title: `${arabic} ${hebrew} ${emoji}`, contactId: long.id })
  await api.proposals.create({ contactId: long.id, title: 'Yen', currency: 'JPY', totalAmount: '999999999999' })
  const signed = await api.proposals.create({ ...offer, counterSignature: true })
  await signAsAll(url, signed)

  const base = await api.bases.create({ name: wide(200), description: `${wide(224)} ${arabic}` })
  const sample = await api.bases.create({ name: 'Sample: Harbour Cycles' })
  await api.bases.create({ name: `${arabic} ${emoji}` })
  const upload = async (name: string, text: string, type = 'text/markdown'): Promise<string> => {
    const { storageUrl } = await api.uploads.create(new TextEncoder().encode(text), { name, type })
    return (await api.bases.sources.create(base.id, { type: 'file', name, storageUrl })).id
  }
  const source = await upload(`${wide(190)}.md`, `# ${wide(224)}\n\n${wide(224).repeat(4)}\n\n## ${arabic}\n\n${`${arabic}. `.repeat(40)}`)
  const rightSource = await upload(`${arabic} ${hebrew}.md`, `# ${arabic}\n\n${`${arabic}. `.repeat(40)}`)
  const failed = await upload(`${wide(180)}.pdf`, '%PDF-1.4 no more of it', 'application/pdf')
  for (const id of [source, rightSource]) await api.bases.sources.waitUntilProcessed(base.id, id)
  await api.bases.sources.waitUntilProcessed(base.id, failed).catch(() => undefined)
  for (const query of [wide(224), arabic, emoji]) await api.bases.search(base.id, { query })
  await api.bases.questions.create(base.id, { question: wide(224).repeat(3), expectedSourceIds: [source], expectedText: arabic })
  await api.bases.questions.create(base.id, { question: arabic, expectedSourceIds: [rightSource] })
  const { id: reindex } = await api.bases.reindexes.create(base.id, { switchWhenReady: true })
  await expect.poll(async () => (await api.bases.reindexes.get(base.id, reindex)).status, patience).toBe('switched')

  const webhook = await api.webhooks.create({
    url: `https://hooks.example.com/${'segment/'.repeat(100)}`,
    description: `${wide(200)} ${arabic}`,
    eventTypes: ['contact.created', 'webhook_endpoint.disabled'],
  })
  const failing = await api.webhooks.create({ url: `http://${closedHost}/${'segment/'.repeat(20)}` })
  await api.webhooks.test(failing.id)
  await secondOwner({ api, url, enter })
  await api.invitations.create({ email: longEmail, role: 'viewer' })

  const publicPages = [
    { name: 'proposal-page', path: sent.url ?? '' },
    { name: 'proposal-page-rtl', path: rightOffer.url ?? '' },
  ]
  const knowledge = `/${slug}/knowledge/${base.id}`
  const pages = [
    { name: 'contact-long', path: `/${slug}/contacts/${long.id}` },
    { name: 'contact-rtl', path: `/${slug}/contacts/${right.id}` },
    { name: 'contact-merged', path: `/${slug}/contacts/${merged}` },
    { name: 'import-result', path: `/${slug}/contacts/import/${imported}` },
    { name: 'contact-merge', path: `/${slug}/contacts/${long.id}/merge?other=${right.id}` },
    { name: 'company', path: `/${slug}/companies/${company.id}` },
    { name: 'proposal-draft', path: `/${slug}/proposals/${draft.id}` },
    { name: 'proposal-edit', path: `/${slug}/proposals/${draft.id}/edit` },
    { name: 'proposal-sent', path: `/${slug}/proposals/${sent.id}` },
    { name: 'proposal-signed', path: `/${slug}/proposals/${signed.id}` },
    { name: 'proposal-rtl', path: `/${slug}/proposals/${rightOffer.id}` },
    { name: 'base', path: knowledge },
    { name: 'sources', path: `${knowledge}/sources`, isList: true },
    ...['settings', 'reindex', 'evaluation', 'searches', 'connect'].map((tab) => ({ name: `base-${tab}`, path: `${knowledge}/${tab}` })),
    { name: 'base-sample', path: `/${slug}/knowledge/${sample.id}` },
    { name: 'source-long', path: `${knowledge}/sources/${source}` },
    { name: 'source-rtl', path: `${knowledge}/sources/${rightSource}` },
    { name: 'source-failed', path: `${knowledge}/sources/${failed}` },
    { name: 'webhook', path: `/${slug}/settings/webhooks/${webhook.id}` },
    { name: 'webhook-failing', path: `/${slug}/settings/webhooks/${failing.id}` },
    { name: 'playground-answer', path: `/${slug}/playground?q=${encodeURIComponent(arabic)}&bases=${JSON.stringify([base.id])}` },
  ]
  return { pages, publicPages }
}

/** Creates a contact with long names. */
export const namedContact = async (api: Api): Promise<Contact> => api.contacts.create({ firstName: wide(120), lastName: wide(120) })

/** Merges two contacts, changes the result, and returns its id. */
export async function mergedContact(api: Api): Promise<string> {
  const [{ id }, other] = [await namedContact(api), await namedContact(api)]
  await api.contacts.merge(id, { otherIds: [other.id] })
  await api.contacts.update(id, { jobTitle: arabic, tags: ['changed'] })
  await api.contacts.activities.create(id, { type: 'note', text: wide(224) })
  return id
}

/** Imports a file, one of whose rows has errors, and returns the id of the import. */
async function importOf(api: Api): Promise<string> {
  const text = `email,First name,${wide(200)}\nimported@example.com,${arabic},${wide(224)}\n${wide(224)},${hebrew},${wide(224)}\n`
  const { storageUrl } = await api.uploads.create(new TextEncoder().encode(text), { name: `${wide(190)}.csv`, type: 'text/csv' })
  const { id } = await api.contactImports.create({ storageUrl })
  await expect.poll(async () => (await api.contactImports.get(id)).status, patience).toBe('completed')
  return id
}

/** Adds a second owner with a token of their own. The first owner sends the invitation, because API tokens cannot invite owners. */
async function secondOwner({ api, url, enter }: Pick<SignedIn, 'api' | 'url' | 'enter'>): Promise<void> {
  const organization = { 'groundwork-organization': (await api.organization.get()).id }
  const call = async (path: string, headers: Record<string, string>, body?: object): Promise<Response> => {
    const response = await fetch(url + path, {
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  let cookie = ''
  await enter({
    addCookies: async (cookies) => void (cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')),
  })
  const email = longEmail.replace('a', 'c')
  await call('/v1/invitations', { cookie, ...organization }, { email, role: 'owner' })
  const mails = await (await call('/v1/mails', { cookie, ...organization })).text()
  const token = new RegExp(`"to":"${email}".*?/app/invitation#([\\w-]+)`).exec(mails)?.[1]
  const accepted = await call('/v1/invitations/accept', {}, { token, name: wide(120), password: owner.password })
  const theirs = accepted.headers.getSetCookie().join().split(';')[0] ?? ''
  await call('/v1/tokens', { cookie: theirs, ...organization }, { name: wide(200), scopes: ['search:read'] })
}
