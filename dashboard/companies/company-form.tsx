import type { Company, CreateCompany } from '@groundwork/api'
import { etagOf } from '@groundwork/sdk'
import { Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { customFieldsQuery } from '../lib/custom-fields.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { useForm } from '../shell/form.ts'
import { countryOptions } from '../lib/code-names.ts'
import { customBody, CustomInputs, type CustomValues } from './custom-inputs.tsx'
import { formErrors } from './errors.ts'
import { companyMessages } from './messages.ts'
import { companiesKey } from './queries.ts'

interface CompanyFormProps {
  /** The company to change; a new one without it. */
  company?: Company
  onClose: () => void
  onSaved: (company: Company) => void
}

const valuesOf = (company: Company | undefined) => ({
  name: company?.name ?? '',
  domains: company?.domains ?? [],
  phone: company?.phone ?? '',
  line1: company?.address?.line1 ?? '',
  line2: company?.address?.line2 ?? '',
  postalCode: company?.address?.postalCode ?? '',
  city: company?.address?.city ?? '',
  region: company?.address?.region ?? '',
  country: company?.address?.country ?? '',
  vatId: company?.vatId ?? '',
  tags: company?.tags ?? [],
  externalId: company?.externalId ?? '',
})
const customOf = (company: Company | undefined): CustomValues => company?.customFields ?? {}
type Values = ReturnType<typeof valuesOf>

/** Creates or changes a company, in a dialog. */
export function CompanyForm({ company, onClose, onSaved }: CompanyFormProps) {
  const messages = useMessages(companyMessages)
  const { client, organization } = useWorkspace()
  // Others can change the company while the form is open: the change is then refused.
  const [base] = useState(company)
  const { data: customFields = [] } = useQuery(customFieldsQuery(useWorkspace(), 'company'))
  const form = useForm({ ...valuesOf(company), custom: customOf(company) })
  const { custom, ...values } = form.values
  const [errors, setErrors] = useState<ReturnType<typeof formErrors>>({ fields: {}, custom: {}, error: null })
  const change = useChange(
    () => {
      const body = { ...bodyOf(values), customFields: customBody(customFields, custom, base) }
      return base === undefined
        ? client.companies.create(body)
        : client.companies.update(base.id, body, { headers: { 'If-Match': etagOf(base) } })
    },
    {
      notifyFailure: false,
      invalidates: () => [[organization.id, ...companiesKey]],
      done: company === undefined ? ({ name }) => messages.created(name) : messages.saved,
    },
  )
  const submit = (): void => {
    if (values.name.trim() === '') return setErrors({ fields: { name: messages.invalid.name }, custom: {}, error: null })
    form.sending()
    change.mutate(undefined, {
      onSuccess: (saved) => {
        onClose()
        onSaved(saved)
      },
      onError(error) {
        form.refuse(error)
        setErrors(formErrors(error))
      },
    })
  }
  type TextField = Exclude<keyof Values, 'domains' | 'tags'>
  const text = (field: TextField) => ({
    value: values[field],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => form.set(field, currentTarget.value),
    autoComplete: 'off',
  })
  const { fields, addressParts, help } = messages
  return (
    <FormDialog
      title={company === undefined ? messages.new : messages.edit}
      size="lg"
      form={form}
      onClose={onClose}
      onSubmit={submit}
      action={company === undefined ? messages.new : messages.save}
      busy={change.isPending}
      error={errors.error}
      fields={[]}
    >
      <TextInput label={fields.name} error={errors.fields.name} maxLength={200} data-autofocus {...text('name')} />
      <TagsInput
        label={fields.domains}
        description={help.domains}
        error={errors.fields.domains}
        value={values.domains}
        onChange={(domains) => form.set('domains', domains)}
        maxTags={20}
        acceptValueOnBlur
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={fields.phone} description={help.phone} error={errors.fields.phone} type="tel" maxLength={30} {...text('phone')} />
        <TextInput label={fields.vatId} description={help.vatId} error={errors.fields.vatId} maxLength={30} {...text('vatId')} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={addressParts.line1} error={errors.fields.address} maxLength={120} {...text('line1')} />
        <TextInput label={addressParts.line2} maxLength={120} {...text('line2')} />
        <TextInput label={addressParts.postalCode} maxLength={20} {...text('postalCode')} />
        <TextInput label={addressParts.city} maxLength={120} {...text('city')} />
        <TextInput label={addressParts.region} maxLength={120} {...text('region')} />
        <Select
          label={addressParts.country}
          data={countryOptions(values.country === '' ? null : values.country)}
          searchable
          clearable
          value={values.country === '' ? null : values.country}
          onChange={(country) => form.set('country', country ?? '')}
        />
      </SimpleGrid>
      <TagsInput
        label={fields.tags}
        error={errors.fields.tags}
        value={values.tags}
        onChange={(tags) => form.set('tags', tags)}
        maxTags={50}
        acceptValueOnBlur
      />
      <CustomInputs fields={customFields} values={custom} errors={errors.custom} onChange={(changed) => form.set('custom', changed)} />
      <TextInput label={fields.externalId} error={errors.fields.externalId} maxLength={200} {...text('externalId')} />
    </FormDialog>
  )
}

/** Returns the body of a request. Empty fields are cleared. */
function bodyOf({ name, domains, tags, phone, vatId, externalId, ...parts }: Values): CreateCompany {
  const orNull = (value: string): string | null => (value.trim() === '' ? null : value.trim())
  const address = {
    line1: orNull(parts.line1),
    line2: orNull(parts.line2),
    postalCode: orNull(parts.postalCode),
    city: orNull(parts.city),
    region: orNull(parts.region),
    country: orNull(parts.country),
  }
  return {
    name: name.trim(),
    domains,
    tags,
    phone: orNull(phone),
    vatId: orNull(vatId),
    externalId: orNull(externalId),
    address: Object.values(address).every((part) => part === null) ? null : address,
  }
}
