import { companiesModule } from './companies/module.ts'
import { contactsModule } from './contacts/module.ts'
import { homeModule } from './home/module.ts'
import { knowledgeModule } from './knowledge/module.ts'
import type { Module } from './lib/module.ts'
import { playgroundModule } from './playground/module.ts'
import { proposalsModule } from './proposals/module.ts'
import { settingsModule } from './settings/module.ts'

/** The modules, in the order of the navigation. router.tsx collects their routes. */
export const modules: readonly Module[] = [
  homeModule,
  knowledgeModule,
  contactsModule,
  companiesModule,
  proposalsModule,
  playgroundModule,
  settingsModule,
]
