import './preview.css'
import { SegmentedControl } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** Shows a form and beside it a preview; on a narrow screen one of both. */
export function WithPreview({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  const messages = useMessages(sharedMessages)
  const [shown, setShown] = useState<'edit' | 'preview'>('edit')
  return (
    <div className="with-preview" data-shown={shown}>
      <SegmentedControl
        className="with-preview-choice"
        aria-label={messages.editOrPreview}
        data={[
          { value: 'edit', label: messages.edit },
          { value: 'preview', label: messages.preview },
        ]}
        value={shown}
        onChange={setShown}
      />
      <div className="with-preview-form">{children}</div>
      <section className="with-preview-page" aria-label={messages.preview}>
        {preview}
      </section>
    </div>
  )
}
