import { contactsRoom } from './contacts/room.ts'
import { homeRoom } from './home/room.ts'
import { knowledgeRoom } from './knowledge/room.ts'
import type { Room } from './lib/room.ts'
import { playgroundRoom } from './playground/room.ts'
import { proposalsRoom } from './proposals/room.ts'
import { settingsRoom } from './settings/room.ts'

/** The modules, in the order of the navigation. router.tsx collects their routes. */
export const rooms: readonly Room[] = [homeRoom, knowledgeRoom, contactsRoom, proposalsRoom, playgroundRoom, settingsRoom]
