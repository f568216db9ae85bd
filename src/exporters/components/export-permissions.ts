import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { PermissionSetFile, ProfileFile } from '../../definitions/formats/permission-file.ts'
import { completeRights } from '../../definitions/permissions/holder.ts'
import type { ExportNotes } from './export-notes.ts'
import type { Content } from './write-xml.ts'

function exportGrants(location: string, file: ProfileFile, notes: ExportNotes): Content {
  const { description, system = [], customPermissions = [], objects = {}, fields = {} } = file
  return {
    customPermissions: customPermissions.map((name) => ({ enabled: true, name })),
    description,
    fieldPermissions: Object.entries(fields).map(([field, right]) => ({
      editable: right === 'edit',
      field,
      readable: true,
    })),
    objectPermissions: Object.entries(objects).map(([object, given]) => {
      const rights = completeRights(given)
      if (rights.includes('editAllFields')) notes.add(location, `${object}: editAllFields is not written`)
      return {
        allowCreate: rights.includes('create'),
        allowDelete: rights.includes('delete'),
        allowEdit: rights.includes('edit'),
        allowRead: rights.includes('read'),
        modifyAllRecords: rights.includes('modifyAll'),
        object,
        viewAllFields: rights.includes('viewAllFields'),
        viewAllRecords: rights.includes('viewAll'),
      }
    }),
    userPermissions: system.map((name) => ({ enabled: true, name })),
  }
}

export const exportPermissionSet = (name: string, file: PermissionSetFile, notes: ExportNotes): Content => ({
  hasActivationRequired: false,
  label: file.label ?? (makeLabel(name) || name),
  ...exportGrants(`permission set ${name}`, file, notes),
})

export const exportProfile = (name: string, file: ProfileFile, notes: ExportNotes): Content => ({
  custom: true,
  ...exportGrants(`profile ${name}`, file, notes),
})
