/**
 * @typedef {object} Panel
 * @property {'trigger' | 'action'} node
 * @property {Record<string, unknown>} parameters
 * @property {boolean} [hasAllOptions] every option is added, with its default
 * @property {'help' | 'listening'} [open] what is opened, or begun, beside the trigger's fields
 */

const UUID = '3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3';
const formById = { formId: { __rl: true, mode: 'id', value: UUID } };
const apiKey = { authentication: 'apiKey' };
const target = { targetUrl: 'https://n8n.example.com/webhook/new-response' };

/**
 * @param {string} resource
 * @param {string} operation
 * @param {Record<string, unknown>} [others]
 * @returns {Panel}
 */
const action = (resource, operation, others) => ({
	node: 'action',
	parameters: { resource, operation, ...others },
});

/**
 * The panels of both nodes in n8n's editor, by the name of their pictures.
 *
 * @type {Record<string, Panel>}
 */
const panels = {
	'trigger-oauth2': { node: 'trigger', parameters: {} },
	'trigger-api-key': { node: 'trigger', parameters: { ...apiKey, ...formById } },
	'trigger-options': { node: 'trigger', parameters: {}, hasAllOptions: true },
	'trigger-help': { node: 'trigger', parameters: {}, open: 'help' },
	'trigger-listening': { node: 'trigger', parameters: {}, open: 'listening' },
	'account-get': action('account', 'get'),
	'form-get-many': action('form', 'getAll'),
	'hook-create': action('hook', 'create', target),
	'hook-delete': action('hook', 'delete', { hookId: UUID }),
	'response-get': action('response', 'get', { responseId: UUID }),
	'response-get-many': action('response', 'getAll'),
	'response-get-new': action('response', 'getNew'),
	'response-options': { ...action('response', 'getAll'), hasAllOptions: true },
	'response-api-key': action('response', 'getAll', { ...apiKey, ...formById }),
	'form-api-key': action('form', 'getAll', apiKey),
	'hook-api-key': action('hook', 'create', { ...apiKey, ...formById, ...target }),
};

module.exports = { panels };
