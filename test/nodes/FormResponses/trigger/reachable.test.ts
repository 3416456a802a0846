import { reachability } from '../../../../nodes/FormResponses/trigger/reachable';

const url = (host: string) => `http://${host}/api/v1`;

test.each<[string, string]>([
	['forms.example.com', 'n8n.example.com'],
	['localhost:5800', 'n8n.example.com'],
	['localhost:5800', 'localhost:5678'],
	['127.0.0.1:5800', 'localhost:5678'],
	['[::1]:5800', '127.0.0.1:5678'],
	['localhost:5800', '192.168.1.5:5678'],
	['192.168.1.7', '192.168.1.5:5678'],
	['forms', 'n8n:5678'],
	['forms.internal', '10.0.0.5'],
	['forms.example.com', '8.8.8.8'],
	['forms.example.com', '172.32.0.1'],
	['forms.example.com', '[2001:db8::1]'],
])('a service at %s may reach n8n at %s', (service, n8n) => {
	expect(reachability(url(service), url(n8n))).toBe('yes');
});

test.each<[string, string]>([
	['forms.example.com', '10.1.2.3'],
	['forms.example.com', '172.16.0.1'],
	['forms.example.com', '172.31.255.1'],
	['forms.example.com', '192.168.1.5'],
	['forms.example.com', '169.254.1.1'],
	['forms.example.com', '[fd12::1]'],
	['forms.example.com', '[fe80::1]'],
	['forms.example.com', 'n8n:5678'],
	['forms.example.com', 'n8n.local'],
	['forms.example.com', 'n8n.internal'],
	['8.8.8.8', '192.168.1.5'],
])('whether a service at %s reaches n8n at %s is in doubt', (service, n8n) => {
	expect(reachability(url(service), url(n8n))).toBe('doubtful');
});

test.each<[string, string]>([
	['forms.example.com', 'localhost:5678'],
	['forms.example.com', 'LOCALHOST:5678'],
	['forms.example.com', 'n8n.localhost'],
	['forms.example.com', '127.0.0.1:5678'],
	['forms.example.com', '127.8.9.1'],
	['forms.example.com', '0.0.0.0:5678'],
	['forms.example.com', '[::1]:5678'],
	['192.168.1.7', 'localhost:5678'],
	['forms', 'localhost:5678'],
])('a service at %s cannot reach n8n at %s', (service, n8n) => {
	expect(reachability(url(service), url(n8n))).toBe('no');
});
