import { counted, type Messages } from '../../messages/messages.ts'

const count = counted('en')

const en = {
  about: 'Your own fields for contacts and companies.',
  create: 'Create field',
  created: 'The field was created.',
  emptyTitle: 'No custom fields yet',
  emptyHelp: 'Create fields for what you want to know about contacts and companies.',
  columns: { name: 'Name', entity: 'For', type: 'Type', options: 'Options' },
  show: 'Fields',
  active: 'In use',
  archived: 'Archived',
  name: 'Name',
  entity: 'For',
  entities: { contact: 'Contacts', company: 'Companies' },
  type: 'Type',
  types: { text: 'Text', number: 'Number', date: 'Date', boolean: 'Yes or no', select: 'One option', multiselect: 'Several options' },
  options: 'Options',
  optionsHelp: 'Press Enter after each option.',
  option: (row: number) => `Option ${row}`,
  newOptions: 'New options',
  removeOption: (option: string) => `Remove ${option}`,
  tooMany: 'There are 200 fields already, which is the maximum. Archived fields count too.',
  menu: (field: string) => `Actions for ${field}`,
  edit: 'Edit field',
  saved: 'The field was saved.',
  archive: 'Archive field',
  archiveTitle: (field: string) => `Archive “${field}”?`,
  archiveBody: 'Contacts and companies keep their values. You can restore the field at any time.',
  archivedDone: 'The field was archived.',
  restore: 'Restore field',
  restored: 'The field was restored.',
  noneArchived: 'No archived fields',
  noneArchivedHelp: 'Fields that you archive appear here.',
  convert: 'Change type',
  convertHelp: 'All values are converted together. Nothing changes if a value would be lost.',
  kept: count({ one: '# value can be converted.', other: '# values can be converted.' }),
  lost: count({ one: '# value would be lost. Correct it first:', other: '# values would be lost. Correct them first:' }),
  converted: 'The type was changed.',
}

export const customFieldMessages: Messages<typeof en> = { en }
