// Draws openapi.json. Whatever would ask another origin is off; the content security policy would refuse it anyway.
// Requests are tried against this very service, and the key that is typed for them is gone with the page.
// oxlint-disable-next-line typescript/no-unsafe-call, typescript/no-unsafe-member-access -- what scalar.js, which has no types, defines
window.Scalar.createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  documentDownloadType: 'none',
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
});
