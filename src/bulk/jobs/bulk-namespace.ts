/** The namespace of the elements of version 1. */
export const BULK_URI = 'http://www.force.com/2009/06/asyncapi/dataload'

export const XSI_URI = 'http://www.w3.org/2001/XMLSchema-instance'

export const XML_START = '<?xml version="1.0" encoding="UTF-8"?>'
