import type { Called, Caller, TestApp } from '../app.ts'
import { newId } from '../../lib/ids.ts'
import { acceptProposal } from '../../proposals/answer.ts'
import { createSetupToken } from '../../setup/setup.ts'
import { browse, person, type Person } from '../people.ts'
import { newMember, newProposalQuestion, createFixtures, type Fixtures } from '../fixtures.ts'

/** The caller and the records that bodies can refer to. */
export interface TestSetting {
  readonly service: TestApp
  readonly caller: Caller
  /** An owner of the caller's organization, signed in. */
  readonly owner: Person
  readonly own: Fixtures
  /** A custom field of companies. `own.fld` is one of contacts. */
  readonly companyField: string
}

export type Send = (body: Record<string, unknown>) => Promise<Called>

export async function newSetting(service: TestApp): Promise<TestSetting> {
  const caller = await service.organization()
  const owner = await person(service, { [caller.organizationId]: 'owner' })
  const field = await caller.call('POST', '/v1/custom-fields', { entity: 'company', name: newId(), type: 'text' })
  return { service, caller, owner, own: await createFixtures(caller), companyField: field.body.id }
}

/** Creates a record that a body can change, and returns the path of the request. */
type NewPath = (setting: TestSetting, body: Record<string, unknown>) => Promise<string>

const created = async ({ caller }: TestSetting, path: string, body: object): Promise<string> =>
  (await caller.call('POST', path, body)).body.id
const newBase = (setting: TestSetting): Promise<string> => created(setting, '/v1/bases', { name: 'B' })

const newContact = (setting: TestSetting): Promise<string> =>
  created(setting, '/v1/contacts', { email: 'a@example.com', phone: '+442079460018', firstName: 'Ada', lastName: 'Lovelace' })

/** Creates a contact of which every field has changed. */
async function changedContact(setting: TestSetting): Promise<string> {
  const id = await newContact(setting)
  const texts = {
    externalId: newId(),
    firstName: 'Grace',
    lastName: 'Hopper',
    jobTitle: 'Buyer',
    language: 'en',
    timeZone: 'UTC',
    source: 'fair',
  }
  const records = { companyId: setting.own['co'], ownerId: setting.own['usr'], customFields: { [String(setting.own['fld'])]: 'A' } }
  const others = { email: 'b@example.com', phone: '+442079460019', address: { city: 'Bath' }, doNotContact: true, tags: ['a'] }
  await setting.caller.call('PATCH', `/v1/contacts/${id}`, { ...texts, ...records, ...others })
  return id
}

const newDraft = async (setting: TestSetting): Promise<string> =>
  created(setting, '/v1/proposals', { title: 'T', contactId: await newContact(setting), totalAmount: '1', draft: true })

/** Creates a source of the type to which the fields of the body apply. */
async function newSource(setting: TestSetting, { url, storageUrl, language }: Record<string, unknown>): Promise<string> {
  const video = { type: 'youtube', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }
  const file = { type: 'file', storageUrl: `groundwork://uploads/${setting.own['upl']}` }
  const isVideo = language !== undefined || (url !== undefined && storageUrl !== undefined) || /youtu\.?be/.test(String(url))
  const content = isVideo ? video : url === undefined ? file : { type: 'url', url: 'https://example.com/' }
  return created(setting, `/v1/bases/${setting.own['kb']}/sources`, { name: 'S', ...content })
}

/** Creates a proposal that only the organization still has to sign. */
const countersignPath: NewPath = async (setting) => {
  const { call, ctx } = setting.caller
  const offer = { title: 'T', contactId: await newContact(setting), totalAmount: '1', counterSignature: true }
  const { id, contentHash, recipients } = (await call('POST', '/v1/proposals', offer)).body
  const signature = { name: 'Ada Lovelace', drawing: null, wording: 'I accept.', contentHash }
  await acceptProposal(ctx, recipients[0].id.slice(-36), signature, { address: '192.0.2.7', userAgent: null })
  return `/v1/proposals/${id}/countersign`
}

async function switchPath(setting: TestSetting): Promise<string> {
  const base = await newBase(setting)
  const id = await created(setting, `/v1/bases/${base}/reindexes`, {})
  await setting.caller.ctx.db.pool.query(`update reindex set status = 'ready', ready_at = now() where id = $1`, [id.slice(-36)])
  return `/v1/bases/${base}/reindexes/${id}/switch`
}

/** Creates the record to send a body to, for operations that need a new record for each body. */
const subjects: Readonly<Record<string, NewPath>> = {
  'contacts.update': async (setting) => `/v1/contacts/${await newContact(setting)}`,
  'contacts.erase': async (setting) => `/v1/contacts/${await newContact(setting)}/erase`,
  'contacts.revert': async (setting) => `/v1/contacts/${await changedContact(setting)}/revert`,
  'contactMerges.merge': async (setting) => `/v1/contacts/${await newContact(setting)}/merge`,
  'contactMerges.unmerge': async (setting) => {
    const path = `/v1/contacts/${await newContact(setting)}`
    await setting.caller.call('POST', `${path}/merge`, { otherIds: [setting.own['ctc']] })
    return `${path}/unmerge`
  },
  'activities.update': async (setting) => {
    const path = `/v1/contacts/${await newContact(setting)}/activities`
    return `${path}/${await created(setting, path, { type: 'task', text: 'T' })}`
  },
  'contactViews.update': async ({ own }) => `/v1/contact-views/${own['view']}`,
  'sourceViews.update': async ({ own }) => `/v1/source-views/${own['srv']}`,
  'proposalListViews.update': async ({ own }) => `/v1/proposal-list-views/${own['plv']}`,
  'companyMerges.merge': async (setting) => `/v1/companies/${await created(setting, '/v1/companies', { name: 'C' })}/merge`,
  'companyMerges.unmerge': async (setting) => {
    const path = `/v1/companies/${await created(setting, '/v1/companies', { name: 'C' })}`
    await setting.caller.call('POST', `${path}/merge`, { otherIds: [setting.own['co']] })
    return `${path}/unmerge`
  },
  'companies.update': async ({ own }) => `/v1/companies/${own['co']}`,
  'customFields.update': async ({ own }) => `/v1/custom-fields/${own['fld']}`,
  'customFields.convert': async (setting) =>
    `/v1/custom-fields/${await created(setting, '/v1/custom-fields', { entity: 'contact', name: newId(), type: 'text' })}/convert`,
  'proposals.update': async (setting) => `/v1/proposals/${await newDraft(setting)}`,
  'proposals.send': async (setting) => `/v1/proposals/${await newDraft(setting)}/send`,
  'proposals.void': async (setting) => `/v1/proposals/${await newDraft(setting)}/void`,
  'proposalQuestions.answer': async (setting) => {
    const id = await newDraft(setting)
    return `/v1/proposals/${id}/questions/${await newProposalQuestion(setting.caller.ctx, id)}/answer`
  },
  'proposals.countersign': countersignPath,
  'bases.update': async (setting) => `/v1/bases/${await newBase(setting)}`,
  'sources.replace': async (setting, body) => `/v1/bases/${setting.own['kb']}/sources/${await newSource(setting, body)}/replace`,
  'reindexes.start': async (setting) => `/v1/bases/${await newBase(setting)}/reindexes`,
  'reindexes.switch': switchPath,
  'webhooks.redeliver': async (setting) =>
    `/v1/webhooks/${await created(setting, '/v1/webhooks', { url: 'https://example.com/' })}/redeliver`,
  'members.update': async ({ caller }) => `/v1/members/${await newMember(caller.ctx)}`,
}

function merging(kind: 'ctc' | 'co') {
  return ({ caller, own }: TestSetting, path: string): Send =>
    async (body) => {
      const answer = await caller.call('POST', path, body)
      await caller.call('POST', path.replace(/merge$/, 'unmerge'), { mergedId: own[kind] })
      return answer
    }
}

/** Senders for operations that need a session, a secret that no response contains, or a current value of the record such as its `contentHash`. */
const senders: Readonly<Record<string, (setting: TestSetting, path: string) => Send>> = {
  'proposals.send':
    ({ caller }, path) =>
    async (body) => {
      const { contentHash } = (await caller.call('GET', path.replace('/send', ''))).body
      return caller.call('POST', path, body['expectContentHash'] === undefined ? body : { ...body, expectContentHash: contentHash })
    },
  // The merge is undone, so that the next body can merge the same record.
  'contactMerges.merge': merging('ctc'),
  'companyMerges.merge': merging('co'),
  'members.update':
    ({ owner, caller }, path) =>
    (body) =>
      owner.of(caller.organizationId)('PATCH', path, body),
  'invitations.create':
    ({ owner, caller }, path) =>
    (body) =>
      owner.of(caller.organizationId)('POST', path, body),
  'organizations.create':
    ({ service }, path) =>
    async (body) =>
      (await person(service)).call('POST', path, body),
  'invitations.look':
    ({ service, caller }, path) =>
    async (body) => {
      const token = await invitationFor(caller, `${newId()}@example.com`)
      return browse(service.app, { method: 'POST', path, body: { ...body, token } })
    },
  'invitations.accept':
    ({ service, caller }, path) =>
    async (body) => {
      // Name and password create a new user; an existing user needs a session.
      if (body['name'] !== undefined && body['password'] !== undefined) {
        const token = await invitationFor(caller, `${newId()}@example.com`)
        return browse(service.app, { method: 'POST', path, body: { ...body, token } })
      }
      const invited = await person(service)
      return invited.call('POST', path, { ...body, token: await invitationFor(caller, invited.email) })
    },
  'people.setUp':
    ({ service }, path) =>
    async (body) => {
      await service.database.pool.query('delete from membership')
      await service.database.pool.query('delete from identity."user"')
      const token = await createSetupToken(service.database.pool, new Date())
      return browse(service.app, { method: 'POST', path, body: { ...body, token } })
    },
}

async function invitationFor({ call }: Caller, email: string): Promise<string> {
  await call('POST', '/v1/invitations', { email, role: 'viewer' })
  const { text } = (await call('GET', '/v1/mails')).body.data[0]
  return /#(\S{43})$/m.exec(text)?.[1] ?? ''
}

/** Sends a body of the operation to a record that accepts it. */
export async function sendTo(
  setting: TestSetting,
  { operationId, method, path }: { operationId: string; method: string; path: string },
  body: Record<string, unknown>,
): Promise<Called> {
  const ids: Record<string, string | undefined> = { id: setting.own['ctc'], baseId: setting.own['kb'], ...idsIn(setting.own) }
  const subject = await subjects[operationId]?.(setting, body)
  const target = subject ?? path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? name)
  return senders[operationId]?.(setting, target)(body) ?? setting.caller.call(method, target, body)
}

const idsIn = (own: Fixtures): Record<string, string | undefined> => ({
  sourceId: own['src'],
  questionId: own['qst'],
  tokenId: own['tok'],
  webhookId: own['whk'],
  reindexId: own['rix'],
})
