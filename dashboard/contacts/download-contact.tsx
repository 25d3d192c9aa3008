import type { Contact } from '@groundwork/api'
import { contactName } from '../lib/contact.ts'
import { saveFile } from '../lib/save-file.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { DownloadButton } from '../shell/download-button.tsx'
import { contactMessages } from './messages.ts'

/** What the export of a contact needs. */
const scopes = ['contacts:read', 'proposals:read', 'sources:read', 'events:read', 'retrievals:read'] as const

/** A button that saves everything held about the contact as a JSON file. */
export function DownloadContact({ contact }: { contact: Contact }) {
  const { downloadAll } = useMessages(contactMessages)
  const { client, organization } = useWorkspace()
  if (!scopes.every((scope) => organization.scopes.includes(scope))) return null
  const download = async () =>
    saveFile(new Response(JSON.stringify(await client.contacts.export(contact.id), null, 2)), `${contactName(contact)}.json`)
  return <DownloadButton label={downloadAll} download={download} />
}
