import { TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { worded } from '../lib/errors.ts'
import { meQuery, sessionClient } from '../lib/session.ts'
import { useForm } from '../shell/form.ts'
import { presentRegion, regionBody, RegionFields } from '../shell/region-fields.tsx'
import { useMessages } from '../messages/messages.ts'
import { goTo } from './addresses.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function NewOrganizationPage() {
  const { organization: words } = useMessages(accountMessages)
  const { organizations } = useSuspenseQuery(meQuery).data
  const [region] = useState(presentRegion)
  const form = useForm({ name: '', region })
  const attempt = useAttempt(
    async (values: typeof form.values) => {
      const { slug } = await sessionClient()
        .organizations.create({ name: values.name, ...regionBody(values.region) })
        .catch((error: Error) => Promise.reject(worded(error, { conflict: words.tooMany })))
      form.reset(values)
      goTo(`/app/${slug}`)
    },
    { refuse: form.refuse },
  )
  return (
    <AuthFrame title={words.title} about={organizations.length === 0 ? words.none : words.about}>
      <AuthForm
        onSubmit={() => void attempt.run(form.values)}
        attempt={attempt}
        fields={['name', ...Object.keys(form.values.region)]}
        action={words.action}
      >
        <TextInput label={words.name} {...form.text('name')} autoComplete="organization" maxLength={200} required />
        <RegionFields
          values={form.values.region}
          onChange={(changes) => form.set('region', { ...form.values.region, ...changes })}
          errorOf={form.errorOf}
          withCurrencyOfCountry
        />
      </AuthForm>
    </AuthFrame>
  )
}
