import { z } from 'zod'
import { Role } from './roles.ts'
import { route } from './route.ts'
import { idOutput, lengthFrom, text, Timestamp } from './schemas.ts'
import { scopes } from './scopes.ts'

/** An e-mail address as people sign in with it. */
export const emailAddress = z
  .string()
  .meta({
    description: 'An e-mail address; upper and lower case are the same',
    format: 'email',
    pattern: z.regexes.email.source,
    maxLength: 254,
  })
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an e-mail address'))

/** Long enough to resist guessing, bounded because hashing costs time in proportion. */
export const password = z.string().check(lengthFrom(12, 128)).meta({ minLength: 12, maxLength: 128, format: 'password' })

export const personName = text(1, 200)

const User = z
  .object({
    id: idOutput('usr'),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    twoFactorEnabled: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'User' })

export const OwnOrganization = z
  .object({
    id: idOutput('org'),
    name: z.string(),
    slug: z.string().meta({ description: 'Names it in addresses of the dashboard', examples: ['example-ltd'] }),
    role: Role,
    scopes: z.array(z.enum(scopes)).meta({ description: 'What the role may do' }),
  })
  .meta({ id: 'OwnOrganization' })
export type OwnOrganization = z.input<typeof OwnOrganization>

export const Me = z.object({ user: User, organizations: z.array(OwnOrganization) }).meta({ id: 'Me' })
export type Me = z.input<typeof Me>

export const SetUp = z
  .strictObject({
    token: text(1, 200).meta({ description: 'From the address that the program printed when it started' }),
    name: personName,
    email: emailAddress,
    password,
    organizationName: text(1, 200),
  })
  .meta({
    id: 'SetUp',
    examples: [{ token: '…', name: 'Robin', email: 'robin@example.com', password: 'a long pass phrase', organizationName: 'Example Ltd' }],
  })
export type SetUp = z.output<typeof SetUp>

export const people = {
  me: route({
    method: 'GET',
    path: '/v1/me',
    summary: 'Tell who is signed in',
    description: 'The user of the session, and the organizations that the user is a member of, by name.',
    scope: 'session',
    status: 200,
    reply: Me,
  }),
  setupNeeded: route({
    method: 'GET',
    path: '/v1/setup',
    summary: 'Tell whether the first user is still to be made, and how people sign in',
    scope: 'public',
    query: z.strictObject({}),
    status: 200,
    reply: z
      .object({
        needed: z.boolean(),
        oidcHost: z
          .string()
          .nullable()
          .meta({
            description: 'Of the identity provider that people can sign in by beside their passwords',
            examples: ['login.example.com'],
          }),
      })
      .meta({ id: 'SetupNeeded' }),
  }),
  setUp: route({
    method: 'POST',
    path: '/v1/setup',
    summary: 'Make the first user and sign in',
    description:
      'With the token of the address that the program prints as long as there is no user; the newest one alone works. The user becomes the owner of the organization, which is the one of that name made by the command line, or a new one. The session comes as a cookie. 404 for a wrong token, 409 once there is a user.',
    scope: 'public',
    body: SetUp,
    status: 201,
    location: '/v1/me',
    reply: Me,
    headers: { 'Set-Cookie': 'The session' },
    errors: ['not_found', 'conflict', 'rate_limited'],
  }),
}
