import { z } from 'zod'
import { route } from './route.ts'
import { clearable, createdAt, idInput, idOutput, pageOf, pageQuery, text, updatedAt, type IdPrefix } from './schemas.ts'
import type { Scope } from './scopes.ts'

/** The fields that saved views of every list have, in responses. */
export const viewFields = (prefix: IdPrefix) => ({
  id: idOutput(prefix),
  name: z.string().describe('Name of the view.'),
  q: z.string().nullable().describe('Search text; null without one.'),
  shared: z.boolean().describe('true: all members see the view. false: only its owner does.'),
  ownerId: idOutput('usr')
    .nullable()
    .describe('Id of the member that created the view: `usr_` and a UUID; null for a view of a token or of a former member.'),
  createdAt,
  updatedAt,
})

const shared = z.boolean().describe('true: all members see the view. false: only its owner does, so a token cannot create such a view.')

/** The same fields in requests that create a view. */
export const newViewFields = {
  name: text(1, 80).describe('Name of the view.'),
  q: clearable(text(1, 200)).describe('Search text. null clears it.'),
  shared: shared.optional().describe(`${shared.description} By default false for members, and true for tokens.`),
}

/** The same fields in requests that change a view. */
export const changedViewFields = { ...newViewFields, name: newViewFields.name.optional(), shared: shared.optional() }

const ListViews = z.strictObject(pageQuery)
export type ListViews = z.output<typeof ListViews>

interface Definition<View, Create, Update> {
  path: `/v1/${string}`
  prefix: IdPrefix
  /** The records of the list, such as `contacts`. */
  of: string
  scopes: { read: Scope; write: Scope }
  view: View
  create: Create
  update: Update
}

const allowed = (changed: string): string =>
  `A shared view is ${changed} by its owner, by owners and admins of the organization, and by tokens; 403 for other members.`

/** The routes of the saved views of one list. */
export function viewRoutes<View extends z.ZodType, Create extends z.ZodType, Update extends z.ZodType>({
  path,
  prefix,
  of,
  scopes: { read, write },
  view,
  create,
  update,
}: Definition<View, Create, Update>) {
  const params = z.object({ id: idInput(prefix) })
  return {
    list: route({
      method: 'GET',
      path,
      summary: `List views of ${of}, newest first`,
      description: 'Returns shared views and those of the signed-in user.',
      scope: read,
      query: ListViews,
      status: 200,
      reply: pageOf(view),
    }),
    create: route({
      method: 'POST',
      path,
      summary: `Create a view of ${of}`,
      description: '409 if the organization has 200 views.',
      scope: write,
      body: create,
      status: 201,
      reply: view,
      errors: ['conflict'],
    }),
    get: route({
      method: 'GET',
      path: `${path}/{id}`,
      summary: `Get a view of ${of}`,
      scope: read,
      params,
      status: 200,
      reply: view,
    }),
    update: route({
      method: 'PATCH',
      path: `${path}/{id}`,
      summary: `Update a view of ${of}`,
      description: allowed('changed'),
      scope: write,
      params,
      body: update,
      status: 200,
      reply: view,
      errors: ['forbidden'],
    }),
    delete: route({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Delete a view of ${of}`,
      description: allowed('deleted'),
      scope: write,
      params,
      status: 204,
      errors: ['forbidden'],
    }),
  }
}
