// Package provider is what Terraform sees: the settings of the connection, and the list of resources.
package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-svc/internal/api"
	"terraform-provider-svc/internal/resources"
)

// Address is the name of the provider where Terraform attaches to a running one.
const Address = "registry.terraform.io/svc/svc"

// New makes providers of a version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &service{version} }
}

type service struct {
	version string
}

type settings struct {
	URL          types.String `tfsdk:"url"`
	Token        types.String `tfsdk:"token"`
	ClientID     types.String `tfsdk:"client_id"`
	ClientSecret types.String `tfsdk:"client_secret"`
}

func (s *service) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName, response.Version = "svc", s.version
}

func (s *service) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Manages a tenant of the identity and access service.",
		Attributes: map[string]schema.Attribute{
			"url": schema.StringAttribute{
				Optional: true, MarkdownDescription: "The issuer of the tenant, such as `https://id.example.com`. Also `SVC_URL`.",
			},
			"token": schema.StringAttribute{
				Optional: true, Sensitive: true, MarkdownDescription: "An access token of the management API or an API key. Also `SVC_TOKEN`.",
			},
			"client_id": schema.StringAttribute{
				Optional: true, MarkdownDescription: "The application that gets tokens by client credentials, where there is no `token`. Also `SVC_CLIENT_ID`.",
			},
			"client_secret": schema.StringAttribute{
				Optional: true, Sensitive: true, MarkdownDescription: "Its secret. Also `SVC_CLIENT_SECRET`.",
			},
		},
	}
}

func (s *service) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var said settings
	response.Diagnostics.Append(request.Config.Get(ctx, &said)...)
	chosen := func(name, variable string, value types.String) string {
		if value.IsUnknown() {
			response.Diagnostics.AddAttributeError(path.Root(name), "Unknown "+name, "The provider calls the API while it plans: `"+name+"` may not come of a resource that is not there yet.")
		}
		if value.IsNull() {
			return os.Getenv(variable)
		}
		return value.ValueString()
	}
	wanted := api.Settings{
		URL:          chosen("url", "SVC_URL", said.URL),
		Token:        chosen("token", "SVC_TOKEN", said.Token),
		ClientID:     chosen("client_id", "SVC_CLIENT_ID", said.ClientID),
		ClientSecret: chosen("client_secret", "SVC_CLIENT_SECRET", said.ClientSecret),
		UserAgent:    "terraform-provider-svc/" + s.version,
	}
	// What the configuration says counts before what the environment says.
	if said.Token.IsNull() && !said.ClientID.IsNull() {
		wanted.Token = ""
	}
	if wanted.Token == "" && (wanted.ClientID == "" || wanted.ClientSecret == "") {
		response.Diagnostics.AddError("No credentials", "Set `token`, or `client_id` and `client_secret`, or the variables SVC_TOKEN, or SVC_CLIENT_ID and SVC_CLIENT_SECRET.")
	}
	client, err := api.Connect(wanted)
	if err != nil {
		response.Diagnostics.AddAttributeError(path.Root("url"), "Invalid url", err.Error())
	}
	response.ResourceData, response.DataSourceData = client, client
}

func (s *service) Resources(context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for _, record := range resources.Records {
		all = append(all, record.Resource)
	}
	for _, link := range resources.Links {
		all = append(all, link.Resource)
	}
	for _, sole := range resources.Soles {
		all = append(all, sole.Resource)
	}
	for _, settings := range resources.Settings {
		all = append(all, settings.Resource)
	}
	return all
}

func (s *service) DataSources(context.Context) []func() datasource.DataSource {
	var all []func() datasource.DataSource
	for _, record := range resources.Records {
		if record.Lookup != nil {
			all = append(all, record.DataSource)
		}
	}
	return all
}
