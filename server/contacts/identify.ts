import type { ContactCandidate, ContactIdentity, IdentifyContact, IdentifyReason } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { select, selectSql, type Context } from '../context.ts'
import { briefOf } from './brief.ts'
import { organizationCountry } from './country.ts'
import { storedEmail } from './emails.ts'
import { nameDistances } from './name-distance.ts'
import { withoutTitles } from './name-titles.ts'
import { isNational, storedPhones } from './phones.ts'
import { firstSimilar, rankedContacts, type RankedContact } from './ranked.ts'
import { toContact, type ContactRow } from './record.ts'
import { endingTerms, term, type QueryForms } from './search-tiers.ts'

const maxCandidates = 5
/** More contacts with one number or address are not compared. */
const maxSharing = 50

/** How likely a contact with this number, address or id alone is the person. */
const strengths = { external_id: 0.99, email: 0.95, phone: 0.9 } as const

type Strong = keyof typeof strengths
type Evidence = Strong | 'similar_phone'

/**
 * Returns the contact that a person is. Only an id, an address or a number identifies a contact, and only if no other contact has it
 * or the name tells them apart, and the name is not another one.
 */
export async function identifyContact(ctx: Context, input: IdentifyContact): Promise<ContactIdentity> {
  const evidence = await evidenceOf(ctx, input)
  const rows = await contactsOf(ctx, [...evidence.keys()])
  const named = input.name === undefined ? new Map<string, NameMatch>() : await compareNames(ctx, input.name, rows)
  const isFound = [...evidence.values()].some((reasons) => reasons.some(isStrong))
  const byName = input.name === undefined || isFound ? [] : await contactsNamed(ctx, input.name)
  const candidates = [
    ...rows.map((row) => candidateOf(row, evidence.get(row.id) ?? [], named.get(row.id))),
    ...byName.filter(({ id }) => !evidence.has(id)).map((row) => candidateOf(row, [], row.match === 'whole' ? 'name' : 'similar_name')),
  ]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxCandidates)
  const [first, second] = candidates
  if (first === undefined) return { result: 'none', candidates, brief: null }
  const isOne = first.score >= minScore && (second === undefined || first.score - second.score >= minLead)
  if (!isOne) return { result: 'several', candidates, brief: null }
  return { result: 'one', candidates, brief: await briefOf(ctx, first.contact) }
}

/** The score from which a contact is the person, unless another one is nearly as likely. */
const minScore = 0.85
const minLead = 0.25

type NameMatch = 'name' | 'similar_name' | 'shared_word' | 'other_name'

function candidateOf(row: ContactRow, evidence: readonly Evidence[], name: NameMatch | undefined): ContactCandidate {
  const reasons: IdentifyReason[] = [...evidence, ...(name === undefined ? [] : [name === 'shared_word' ? 'similar_name' : name])]
  return { contact: toContact(row), reasons, score: Number(scoreOf(evidence, name).toFixed(2)) }
}

const isStrong = (evidence: Evidence): evidence is Strong => evidence in strengths

function scoreOf(evidence: readonly Evidence[], name: NameMatch | undefined): number {
  const strong = evidence.filter(isStrong)
  if (strong.length === 0) return weakScores[evidence.length === 0 ? 'name' : 'number'][name ?? 'unnamed']
  // The probability that not all of them are wrong.
  const likely = 1 - strong.reduce((wrong, reason) => wrong * (1 - strengths[reason]), 1)
  if (name === undefined) return likely
  return name === 'name' ? 1 - (1 - likely) / 10 : likely * nameFactors[name]
}

/** Of contacts with a name, or the last digits of a number, alone. None suffices for `one`. */
const weakScores = {
  name: { unnamed: 0, name: 0.5, similar_name: 0.3, shared_word: 0.3, other_name: 0 },
  number: { unnamed: 0.4, name: 0.7, similar_name: 0.6, shared_word: 0.5, other_name: 0.2 },
}

/** A relative can have the same last name and number. */
const nameFactors = { similar_name: 0.97, shared_word: 0.7, other_name: 0.6 }

/** Returns the ids of contacts with the id, address or number; of ones with its last digits if no contact has the number. */
async function evidenceOf(ctx: Context, input: IdentifyContact): Promise<Map<string, Evidence[]>> {
  const { externalId, email, phone } = input
  const country = phone !== undefined && isNational(phone) ? await organizationCountry(ctx) : null
  const numbers = phone === undefined ? [] : storedPhones(phone, country).map((number) => term(`=#${number.slice(1)}`))
  const evidence = await contactsWith(ctx, [
    ...(externalId === undefined
      ? []
      : [sql`select 'external_id', id from contact where external_id = ${externalId} and deleted_at is null`]),
    ...(email === undefined ? [] : [withTerms('email', [term(`=${storedEmail(email)}`)])]),
    ...(numbers.length === 0 ? [] : [withTerms('phone', numbers)]),
  ])
  const hasNumber = [...evidence.values()].some((reasons) => reasons.includes('phone'))
  const endings = phone !== undefined && isNational(phone) && !hasNumber ? endingTerms(phone) : []
  const similar = await contactsWith(ctx, endings.length === 0 ? [] : [withTerms('similar_phone', endings)])
  for (const [id, reasons] of similar) evidence.set(id, [...(evidence.get(id) ?? []), ...reasons])
  return evidence
}

const withTerms = (reason: Evidence, terms: readonly string[]): RawBuilder<unknown> =>
  sql`select ${sql.lit(reason)}, contact_id from contacts_with_terms(${terms.join(' | ')}::tsquery)`

/** Returns the ids of contacts that statements select, each with its reason. */
async function contactsWith(ctx: Context, statements: readonly RawBuilder<unknown>[]): Promise<Map<string, Evidence[]>> {
  if (statements.length === 0) return new Map()
  const limited = statements.map((statement) => sql`(${statement} limit ${maxSharing})`)
  const rows = await selectSql(
    ctx,
    sql<{ reason: Evidence; contact_id: string }>`select * from (${sql.join(limited, sql` union all `)}) as evidence (reason, contact_id)`,
  )
  const evidence = new Map<string, Evidence[]>()
  for (const { reason, contact_id } of rows) evidence.set(contact_id, [...(evidence.get(contact_id) ?? []), reason])
  return evidence
}

async function contactsOf(ctx: Context, ids: readonly string[]): Promise<ContactRow[]> {
  if (ids.length === 0) return []
  return select(ctx, (db) =>
    db
      .selectFrom('contact')
      .selectAll()
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null),
  )
}

/** Compares the name with those of contacts, without its titles unless a contact has them too. A contact without a name is left out. */
async function compareNames(ctx: Context, name: string, rows: readonly ContactRow[]): Promise<Map<string, NameMatch>> {
  const namedRows = rows.filter(({ first_name, last_name }) => first_name !== null || last_name !== null)
  if (namedRows.length === 0) return new Map()
  const untitled = withoutTitles(name)
  const compared = await selectSql(
    ctx,
    sql<{ id: string; names: string; whole: QueryForms; untitled: QueryForms | null }>`
      select id, array_to_string(forms.words, ' ') || '|' || array_to_string(forms.latin, ' ') as names,
        contact_query(${name}) as whole, ${untitled === undefined ? sql`null` : sql`contact_query(${untitled})`} as untitled
      from contact, contact_name_forms(first_name, last_name) as forms where id = any(${namedRows.map(({ id }) => id)}::uuid[])`,
  )
  const matches = nameMatches(compared, compared[0]?.whole.words ?? [])
  const isWhole = untitled === undefined || [...matches.values()].includes('name')
  return isWhole ? matches : nameMatches(compared, compared[0]?.untitled?.words ?? [])
}

function nameMatches(contacts: readonly { id: string; names: string }[], words: QueryForms['words']): Map<string, NameMatch> {
  if (words.length === 0) return new Map()
  const distanceTo = nameDistances(words)
  const distancesOfWords = words.map((word) => nameDistances([word]))
  return new Map(
    contacts.map(({ id, names }): [string, NameMatch] => {
      const distance = distanceTo(names)
      if (distance !== undefined) return [id, distance < 0.3 ? 'name' : 'similar_name']
      const sharesWord = distancesOfWords.some((distanceOfWord) => distanceOfWord(names) !== undefined)
      return [id, sharesWord ? 'shared_word' : 'other_name']
    }),
  )
}

async function contactsNamed(ctx: Context, name: string): Promise<RankedContact[]> {
  const { rows } = await rankedContacts(ctx, (db) => db.selectFrom('contact').where('deleted_at', 'is', null), {
    q: name,
    limit: maxCandidates,
    isFiltered: false,
  })
  return rows.filter(({ rank }) => rank < firstSimilar + 15)
}
