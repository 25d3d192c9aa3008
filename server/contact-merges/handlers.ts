import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { mergeContacts } from './merge.ts'
import { unmergeContact } from './unmerge.ts'

export const contactMergeHandlers: Handlers<GroundworkApi>['contactMerges'] = {
  merge: (ctx, { params, body }) => mergeContacts(ctx, params.id, body),
  unmerge: (ctx, { params, body }) => unmergeContact(ctx, params.id, body),
}
