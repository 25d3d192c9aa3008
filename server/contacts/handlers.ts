import { api, type GroundworkApi } from '@groundwork/api'
import { ofSurvivor } from '../contact-merges/survivor.ts'
import { WithHeaders, type Handlers } from '../handlers.ts'
import { eraseContact, type ErasureServices } from './erase.ts'
import { createContact, deleteContact, getContact, restoreContact, updateContact } from './contacts.ts'
import { listDeletedContacts } from './deleted.ts'
import { identifyContact } from './identify.ts'
import { contactHistory, revertContact, verifyContact } from './history.ts'
import { listContacts } from './list.ts'
import { acceptSuggestion, dismissSuggestion, listSuggestions } from './suggestions.ts'
import { upsertBatch, upsertContact } from './upsert.ts'
import { searchContacts } from './search.ts'
import { deleteTags, listTags, mergeTags, renameTag } from './tags.ts'

export const contactHandlers: Handlers<GroundworkApi, ErasureServices>['contacts'] = {
  list: async (ctx, { query, url }) => {
    const { data, nextCursor, total } = await listContacts(ctx, query)
    return new WithHeaders(data, {
      ...(nextCursor !== null && { Link: `<${nextPage(ctx.baseUrl, url, nextCursor)}>; rel="next"`, 'X-Next-Cursor': nextCursor }),
      ...(total !== null && { 'X-Total-Count': String(total) }),
    })
  },
  create: (ctx, { body }) => createContact(ctx, body),
  get: (ctx, { params }) => getContact(ctx, params.id),
  update: (ctx, { params, body }) => ofSurvivor(ctx, params.id, (id) => updateContact(ctx, id, body)),
  delete: (ctx, { params }) => deleteContact(ctx, params.id),
  erase: (ctx, { params, body }) => eraseContact(ctx, params.id, body),
  deleted: (ctx, { query }) => listDeletedContacts(ctx, query),
  restore: (ctx, { params }) => restoreContact(ctx, params.id),
  upsert: (ctx, { body }) => upsertContact(ctx, body),
  batch: (ctx, { body }) => upsertBatch(ctx, body),
  history: (ctx, { params, query }) => ofSurvivor(ctx, params.id, (id) => contactHistory(ctx, id, query)),
  verify: (ctx, { params, body }) => ofSurvivor(ctx, params.id, (id) => verifyContact(ctx, id, body)),
  revert: (ctx, { params, body }) => ofSurvivor(ctx, params.id, (id) => revertContact(ctx, id, body)),
}

export const contactSearchHandlers: Handlers<GroundworkApi>['contactSearch'] = {
  identify: (ctx, { body }) => identifyContact(ctx, body),
  search: (ctx, { body }) => searchContacts(ctx, body),
}

export const contactSuggestionHandlers: Handlers<GroundworkApi>['contactSuggestions'] = {
  list: (ctx, { params, query }) => ofSurvivor(ctx, params.id, (id) => listSuggestions(ctx, id, query)),
  accept: (ctx, { params }) => ofSurvivor(ctx, params.id, (id) => acceptSuggestion(ctx, id, params.suggestionId)),
  dismiss: (ctx, { params }) => ofSurvivor(ctx, params.id, (id) => dismissSuggestion(ctx, id, params.suggestionId)),
}

export const contactTagHandlers: Handlers<GroundworkApi>['contactTags'] = {
  list: (ctx, { query }) => listTags(ctx, query),
  rename: (ctx, { body }) => renameTag(ctx, body),
  merge: (ctx, { body }) => mergeTags(ctx, body),
  delete: (ctx, { body }) => deleteTags(ctx, body),
}

/** Returns the URL of the next page: the request's URL with the new cursor. */
function nextPage(baseUrl: string, url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?')[1])
  query.set('cursor', cursor)
  return `${baseUrl}${api.contacts.list.path}?${query.toString()}`
}
