defmodule Svc.MixProject do
  use Mix.Project

  @version "0.1.0"

  def project do
    [
      app: :svc,
      version: @version,
      elixir: "~> 1.14",
      description: "Sign-in, tokens, webhooks and management of svc, on OTP and Elixir alone",
      package: package(),
      elixirc_paths: elixirc_paths(Mix.env()),
      start_permanent: Mix.env() == :prod,
      # No dependencies: nothing is fetched. `Svc.Plug` calls `Plug.Conn` where the application has it.
      deps: []
    ]
  end

  def application do
    [extra_applications: [:crypto, :inets, :logger, :public_key, :ssl]]
  end

  # Who publishes names the repository that it is published from.
  defp package do
    repository = System.get_env("SVC_REPOSITORY")

    [
      licenses: ["Apache-2.0"],
      links: if(repository, do: %{"Source" => repository}, else: %{}),
      files: ~w(lib mix.exs LICENSE README.md CHANGELOG.md .formatter.exs)
    ]
  end

  defp elixirc_paths(:test), do: ["lib", "test/support"]
  defp elixirc_paths(_), do: ["lib"]
end
