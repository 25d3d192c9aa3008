import { lowerTag, type ContactTag, type DeleteTags, type ListTags, type MergeTags, type RenameTag, type TagChange } from '@groundwork/api'
import { sql } from 'kysely'
import { selectSql, withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { changeTagsOfMerges } from '../contact-merges/stored-tags.ts'
import { AppError } from '../lib/errors.ts'
import { likePattern } from '../lib/like.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import { requirePerson } from './agent-writes.ts'
import { batchSize, changeBatch } from './change-batch.ts'

interface ChangedTags {
  /** Replaced tags. */
  tags: readonly string[]
  /** The tag that replaces them; null removes them. */
  into: string | null
}

/** Changes tags of the contacts that the request left. */
export const changeTagsWork = organizationWork<ChangedTags>('change-contact-tags', async (ctx, change) => {
  while ((await withTransaction(ctx, (trx) => changeSome(ctx, trx, change))) === batchSize);
})

/**
 * Returns a page of the tags of contacts, the most frequent first.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listTags(ctx: Context, { q, limit, cursor }: ListTags): Promise<{ data: ContactTag[]; nextCursor: string | null }> {
  const matching = q === undefined ? sql`true` : sql`lower(tag) like lower(${likePattern(q)})`
  const start = cursor === undefined ? 0 : decodeOffset(cursor)
  const tags = await selectSql(
    ctx,
    sql<ContactTag>`
      select (array_agg(tag order by spelled desc, tag))[1] as name, sum(spelled)::integer as contacts from (
        select tag, count(*) as spelled from contact, unnest(tags) as tag where deleted_at is null and ${matching} group by tag
      ) as spelling
      group by lower(tag) order by contacts desc, name limit ${limit + 1} offset ${start}`,
  )
  return { data: tags.slice(0, limit), nextCursor: tags.length > limit ? encodeOffset(start + limit) : null }
}

/** The cursor contains the number of tags before the page, because their counts change all the time. */
const encodeOffset = (offset: number): string => Buffer.from(`tags ${offset}`).toString('base64url')

function decodeOffset(cursor: string): number {
  const [, offset] = /^tags (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (offset === undefined) throw new AppError('bad_request', 'cursor must be a nextCursor that this list returned', { field: 'cursor' })
  return Number(offset)
}

/** @throws AppError `conflict` if the new name is that of another tag */
export function renameTag(ctx: Context, { tag, name }: RenameTag): Promise<TagChange> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    if (lowerTag(tag) !== lowerTag(name) && (await countTagged(trx, { tags: [name], into: null })) > 0) {
      throw new AppError('conflict', `There already is a tag ${name}. Merge the tags instead.`, { field: 'name' })
    }
    return changeTags(ctx, trx, { tags: [tag], into: name })
  })
}

export function mergeTags(ctx: Context, { tags, into }: MergeTags): Promise<TagChange> {
  requirePerson(ctx)
  return withTransaction(ctx, (trx) => changeTags(ctx, trx, { tags, into }))
}

export function deleteTags(ctx: Context, { tags }: DeleteTags): Promise<TagChange> {
  requirePerson(ctx)
  return withTransaction(ctx, (trx) => changeTags(ctx, trx, { tags, into: null }))
}

async function changeTags(ctx: Context, trx: Transaction, change: ChangedTags): Promise<TagChange> {
  const contacts = await countTagged(trx, change)
  const isLarge = (await changeSome(ctx, trx, change)) === batchSize
  if (isLarge) await enqueueWork(ctx, trx, changeTagsWork, change)
  return { contacts, done: !isLarge }
}

/** SQL condition: the contact's tags would change. */
function isConcerned({ tags, into }: ChangedTags) {
  const changed = sql`lower_tags(${tags}::text[])`
  return sql<boolean>`(lower_tags(tags) && ${changed} and tags <> changed_tags(tags, ${changed}, ${into}::text))`
}

async function countTagged(trx: Transaction, change: ChangedTags): Promise<number> {
  const { count } = await trx
    .selectFrom('contact')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .where(isConcerned(change))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the number of changed contacts. */
async function changeSome(ctx: Context, trx: Transaction, change: ChangedTags): Promise<number> {
  const count = await changeBatch(ctx, trx, isConcerned(change), {
    tags: sql<string[]>`changed_tags(tags, lower_tags(${change.tags}::text[]), ${change.into}::text)`,
  })
  await changeTagsOfMerges(trx, change, isConcerned(change))
  return count
}
