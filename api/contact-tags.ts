import { z } from 'zod'
import { tagInput } from './contacts.ts'
import { route } from './route.ts'
import { pageOf, pageQuery, text } from './schemas.ts'

export const ContactTag = z
  .object({
    name: z.string().describe('The tag, in the spelling that most contacts have.'),
    contacts: z.int().describe('Number of contacts with the tag, in any case.'),
  })
  .meta({ id: 'ContactTag', description: 'A tag of contacts.' })
export type ContactTag = z.input<typeof ContactTag>

export const TagChange = z
  .object({
    contacts: z.int().describe('Number of contacts that the change concerns.'),
    done: z.boolean().describe('Whether all of them are changed. If false, the others follow shortly afterwards.'),
  })
  .meta({ id: 'TagChange', description: 'Result of a change of a tag.' })
export type TagChange = z.input<typeof TagChange>

const tags = z.array(tagInput).min(1).max(50)

export const RenameTag = z
  .strictObject({ tag: tagInput.describe('The tag, in any case.'), name: tagInput.describe('The new name.') })
  .meta({ id: 'RenameTag', description: 'A new name for a tag.', examples: [{ tag: 'vip', name: 'VIP' }] })
export type RenameTag = z.output<typeof RenameTag>

export const MergeTags = z
  .strictObject({ tags: tags.describe('The tags to replace, in any case.'), into: tagInput.describe('The tag that replaces them.') })
  .meta({ id: 'MergeTags', description: 'Tags that become one.', examples: [{ tags: ['lead', 'prospect'], into: 'lead' }] })
export type MergeTags = z.output<typeof MergeTags>

export const DeleteTags = z
  .strictObject({ tags: tags.describe('The tags to remove, in any case.') })
  .meta({ id: 'DeleteTags', description: 'Tags to remove from all contacts.', examples: [{ tags: ['spring-fair'] }] })
export type DeleteTags = z.output<typeof DeleteTags>

const ListTags = z.strictObject({
  ...pageQuery,
  q: text(1, 60).optional().meta({ description: 'Only tags that contain this text, in any case.' }),
})
export type ListTags = z.output<typeof ListTags>

const change = 'Changes contacts with a `contact.updated` event for each: up to 500 in the request, more in a job.'

export const contactTags = {
  list: route({
    method: 'GET',
    path: '/v1/contacts/tags',
    summary: 'List the tags of contacts, the most frequent first',
    description: 'Tags that differ only in case count as one.',
    scope: 'contacts:read',
    query: ListTags,
    status: 200,
    reply: pageOf(ContactTag),
  }),
  rename: route({
    method: 'POST',
    path: '/v1/contacts/tags/rename',
    summary: 'Rename a tag of contacts',
    description: `${change} 409 if another tag has the name: merge the tags instead.`,
    scope: 'contacts:write',
    body: RenameTag,
    status: 200,
    reply: TagChange,
    errors: ['conflict'],
  }),
  merge: route({
    method: 'POST',
    path: '/v1/contacts/tags/merge',
    summary: 'Merge tags of contacts',
    description: change,
    scope: 'contacts:write',
    body: MergeTags,
    status: 200,
    reply: TagChange,
  }),
  delete: route({
    method: 'POST',
    path: '/v1/contacts/tags/delete',
    summary: 'Remove tags from all contacts',
    description: change,
    scope: 'contacts:write',
    body: DeleteTags,
    status: 200,
    reply: TagChange,
  }),
}
