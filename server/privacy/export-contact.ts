import { wireId, type ContactExport, type ProposalView, type Scope } from '@groundwork/api'
import { listActivities } from '../activities/list.ts'
import { consentHistory } from '../consent/consent.ts'
import { failedRowsAbout, importsAbout } from '../contact-imports/erase.ts'
import { duplicatesOf } from '../contact-duplicates/of-contact.ts'
import { getContact } from '../contacts/contacts.ts'
import type { ErasureServices } from '../contacts/erase.ts'
import { changesOf } from '../contacts/history.ts'
import { personOf } from '../contacts/person.ts'
import { toContact } from '../contacts/record.ts'
import { listSuggestions } from '../contacts/suggestions.ts'
import { requireWholeOrganization, select, withTransaction, type Context } from '../context.ts'
import { contactTimeline } from '../events/contact-timeline.ts'
import { eventsWithContact } from '../events/with-contact.ts'
import { AppError } from '../lib/errors.ts'
import { mailsTo } from '../mail/list.ts'
import type { ProposalContext } from '../proposals/context.ts'
import { questionsOfContact } from '../proposals/questions/questions.ts'
import { recipientsColumn } from '../proposals/recipients.ts'
import { toProposal } from '../proposals/record.ts'
import { viewsAbout } from '../saved-views/erase.ts'

/** The export shows what these scopes show. */
const neededScopes: readonly Scope[] = ['contacts:read', 'proposals:read', 'sources:read', 'events:read', 'retrievals:read']

/**
 * Returns all records about a contact.
 * @throws AppError `not_found`; `forbidden` if the actor may not read some of them
 */
export async function exportContact(ctx: ProposalContext & ErasureServices, contactId: string): Promise<ContactExport> {
  requireWholeOrganization(ctx)
  const missing = neededScopes.find((scope) => ctx.actor?.scopes.includes(scope) === false)
  if (missing !== undefined) throw new AppError('forbidden', `The export of a contact needs the scope ${missing}.`)
  const contact = await getContact(ctx, contactId)
  // Another one if the contact was merged.
  const id = contact.id.slice(-36)
  const timeline = await everyPage((page) => contactTimeline(ctx, id, page))
  const { terms, ...found } = await recordsNaming(ctx, id)
  const shown = new Set(timeline.map((entry) => entry.id))
  return {
    exportedAt: ctx.now().toISOString(),
    contact,
    ...found,
    consent: await everyPage((page) => consentHistory(ctx, id, page)),
    suggestions: await everyPage((page) => listSuggestions(ctx, id, page)),
    activities: await everyPage((page) => listActivities(ctx, id, page)),
    proposals: await proposalsOf(ctx, id),
    ...(await actsOf(ctx, id)),
    mails: await mailsTo(ctx, id),
    timeline,
    events: found.events.filter((event) => !shown.has(event.id)),
    searches: await ctx.searchLog.find(ctx, terms),
  }
}

/** Returns the records that an erasure finds by the ids and the values of the person. */
const recordsNaming = (ctx: Context, id: string) =>
  withTransaction(ctx, async (trx) => {
    const person = await personOf(trx, id)
    return {
      terms: person.terms,
      mergedContacts: person.contacts.filter((contact) => contact.id !== id).map(toContact),
      duplicates: await duplicatesOf(trx, id),
      history: await changesOf(trx, person.ids),
      events: await eventsWithContact(trx, id),
      imports: await importsAbout(trx, person),
      failedRows: await failedRowsAbout(trx, person),
      savedViews: await viewsAbout(trx, person.terms),
    }
  })

interface Page {
  limit: number
  cursor?: string
}

async function everyPage<Item>(read: (page: Page) => Promise<{ data: Item[]; nextCursor: string | null }>): Promise<Item[]> {
  const items: Item[] = []
  for (let page: Page = { limit: 100 }; ;) {
    const { data, nextCursor } = await read(page)
    items.push(...data)
    if (nextCursor === null) return items
    page = { limit: 100, cursor: nextCursor }
  }
}

async function proposalsOf(ctx: ProposalContext, contactId: string): Promise<ContactExport['proposals']> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom('proposal')
      .selectAll()
      .select(recipientsColumn)
      .where((of) =>
        of.or([
          of('contact_id', '=', contactId),
          of('id', 'in', of.selectFrom('proposal_recipient').select('proposal_id').where('contact_id', '=', contactId)),
        ]),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  )
  return rows.map((row) => toProposal(ctx, row))
}

/** Returns how the contact acted on the pages of proposals. */
async function actsOf(ctx: Context, contactId: string): Promise<Pick<ContactExport, 'questions' | 'signatures' | 'views'>> {
  const questions = await questionsOfContact(ctx, contactId)
  const signatures = await select(ctx, (db) =>
    db
      .selectFrom('proposal_signature as signature')
      .innerJoin('proposal_recipient as recipient', 'recipient.id', 'signature.recipient_id')
      .selectAll('signature')
      .select('recipient.proposal_id')
      .where('recipient.contact_id', '=', contactId)
      .orderBy('signature.signed_at'),
  )
  const views = await select(ctx, (db) =>
    db
      .selectFrom('proposal_view as view')
      .innerJoin('proposal_recipient as recipient', 'recipient.id', 'view.recipient_id')
      .selectAll('view')
      .where('recipient.contact_id', '=', contactId)
      .orderBy('view.seen_at')
      .orderBy('view.id'),
  )
  return {
    questions,
    signatures: signatures.map((row) => ({
      proposalId: wireId('prp', row.proposal_id),
      name: row.name,
      method: row.method,
      wording: row.wording,
      signedAt: row.signed_at.toISOString(),
      address: row.address,
      userAgent: row.user_agent,
    })),
    views: views.map((row): ProposalView => ({
      id: wireId('viw', row.id),
      recipientId: wireId('rcp', row.recipient_id),
      kind: row.kind,
      userAgent: row.user_agent,
      openings: row.openings,
      firstSeenAt: row.seen_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
    })),
  }
}
