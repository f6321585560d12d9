defmodule Svc.OAuth do
  @moduledoc """
  The grants of an application: authorization code with PKCE (RFC 6749, RFC 7636), refresh, client credentials, token
  exchange (RFC 8693), devices (RFC 8628), and UserInfo and revocation (RFC 7009).

  Nothing here repeats a request: a code and a refresh token are for one use.
  """

  alias Svc.{Client, DPoP, Error, Login, Tokens}

  @parameters [:prompt, :max_age, :acr_values, :claims, :authorization_details, :organization, :resource] ++
                [:login_hint, :ui_locales]
  @form "application/x-www-form-urlencoded"
  @exchange "urn:ietf:params:oauth:grant-type:token-exchange"
  @device "urn:ietf:params:oauth:grant-type:device_code"
  @access_token "urn:ietf:params:oauth:token-type:access_token"

  @doc """
  Begins a sign-in: send the browser to `url` and keep the rest for the callback.

  Options: `:scope` (`"openid"`), `:redirect_uri`, `:push` (`true` sends the parameters by RFC 9126 first), and the
  parameters `:prompt`, `:max_age`, `:acr_values`, `:claims`, `:authorization_details`, `:organization`, `:resource`,
  `:login_hint`, `:ui_locales`; maps and lists are written as JSON.
  """
  @spec authorization_url(Client.t(), keyword()) :: {:ok, Login.t()} | {:error, Error.t()}
  def authorization_url(%Client{} = client, opts \\ []) do
    scope = Keyword.get(opts, :scope, "openid")

    login = %Login{
      url: nil,
      state: Svc.Random.token(),
      nonce: Svc.Random.token(),
      code_verifier: Svc.PKCE.verifier(),
      redirect_uri: opts[:redirect_uri] || client.redirect_uri || raise(ArgumentError, "no redirect_uri"),
      max_age: opts[:max_age],
      started_at: client.clock.(),
      acr_values: String.split(opts[:acr_values] || "", " ", trim: true),
      openid?: "openid" in String.split(scope, " ")
    }

    own = [
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: login.redirect_uri,
      scope: scope,
      state: login.state,
      nonce: login.nonce,
      code_challenge: Svc.PKCE.challenge(login.code_verifier),
      code_challenge_method: "S256"
    ]

    asked = for name <- @parameters, value = opts[name], do: {name, written(value)}

    with {:ok, parameters} <- pushed(client, own ++ asked, Keyword.get(opts, :push, false)) do
      {:ok, %{login | url: with_query(client.metadata["authorization_endpoint"], parameters)}}
    end
  end

  defp written(value) when is_map(value) or is_list(value), do: Svc.JSON.encode(value)
  defp written(value), do: to_string(value)

  defp pushed(_, parameters, false), do: {:ok, parameters}

  defp pushed(client, parameters, true) do
    with {:ok, answer} <-
           post(client, "pushed_authorization_request_endpoint", Keyword.delete(parameters, :client_id)) do
      case answer do
        %{"request_uri" => uri} -> {:ok, client_id: client.client_id, request_uri: uri}
        _ -> Error.of({:error, unreadable()}, named(client))
      end
    end
  end

  defp with_query(endpoint, parameters) do
    joint = if String.contains?(endpoint, "?"), do: "&", else: "?"
    endpoint <> joint <> URI.encode_query(parameters)
  end

  @doc "Ends a sign-in: checks the callback's address against the kept login and exchanges its code."
  @spec finish(Client.t(), Login.t(), String.t()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def finish(%Client{} = client, %Login{} = login, callback_url) do
    with {:ok, code} <- Svc.Callback.check(callback_url, login.state, client.issuer) do
      exchange_code(client, login, code)
    end
  end

  @doc "Exchanges a code. Where `openid` was asked, the ID token must be there and right; `id_claims` has its claims."
  @spec exchange_code(Client.t(), Login.t(), String.t()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def exchange_code(%Client{} = client, %Login{} = login, code) do
    parameters = [
      grant_type: "authorization_code",
      code: code,
      redirect_uri: login.redirect_uri,
      code_verifier: login.code_verifier
    ]

    with {:ok, tokens} <- token(client, parameters) do
      client |> identified(tokens, login, code) |> Error.of(named(client))
    end
  end

  defp identified(_, tokens, %Login{openid?: false}, _), do: {:ok, tokens}

  defp identified(_, %Tokens{id_token: nil}, _, _) do
    {:error, Error.new("invalid_id_token", "the answer has no ID token")}
  end

  defp identified(client, tokens, login, code) do
    expected =
      [nonce: login.nonce, max_age: age(login, client.clock.()), acr_values: login.acr_values] ++
        [access_token: tokens.access_token, code: code]

    with {:ok, keys} <- keys(client),
         {:ok, claims} <- Svc.IDToken.verify(tokens.id_token, client, keys, expected) do
      {:ok, %{tokens | id_claims: claims}}
    end
  end

  # How long ago the person may have authenticated by now. A login that was kept by an earlier version has no beginning.
  defp age(%Login{max_age: nil}, _), do: nil
  defp age(%Login{max_age: age} = login, now), do: age + max(now - (Map.get(login, :started_at) || now), 0)

  defp keys(%Client{keys: nil} = client) do
    with {:ok, keys} <- Svc.Keys.of_uri(client.metadata["jwks_uri"], client.http), do: {:ok, {:static, keys}}
  end

  defp keys(%Client{keys: keys}), do: {:ok, keys}

  @doc "A token for the application itself. Options: `:scope`, `:resource`."
  @spec client_credentials(Client.t(), keyword()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def client_credentials(client, opts \\ []) do
    token(client, [grant_type: "client_credentials"] ++ Keyword.take(opts, [:scope, :resource]))
  end

  @doc """
  New tokens for a refresh token; keep the answer's `refresh_token`, which may be another one. Options: `:scope`,
  `:resource`, `:organization`.
  """
  @spec refresh(Client.t(), String.t(), keyword()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def refresh(client, refresh_token, opts \\ []) do
    parameters = [grant_type: "refresh_token", refresh_token: refresh_token]

    with {:ok, tokens} <- token(client, parameters ++ Keyword.take(opts, [:scope, :resource, :organization])) do
      {:ok, %{tokens | refresh_token: tokens.refresh_token || refresh_token}}
    end
  end

  @doc """
  A token for acting on behalf of the subject of another. Options: `:subject_token_type`, `:actor_token`,
  `:actor_token_type`, `:audience`, `:resource`, `:scope`.
  """
  @spec token_exchange(Client.t(), String.t(), keyword()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def token_exchange(client, subject_token, opts \\ []) do
    own = [
      grant_type: @exchange,
      subject_token: subject_token,
      subject_token_type: Keyword.get(opts, :subject_token_type, @access_token)
    ]

    actor =
      if actor = opts[:actor_token],
        do: [actor_token: actor, actor_token_type: Keyword.get(opts, :actor_token_type, @access_token)],
        else: []

    token(client, own ++ actor ++ Keyword.take(opts, [:audience, :resource, :scope]))
  end

  @of_devices [:scope, :resource, :organization, :claims, :authorization_details]

  @doc """
  Begins a sign-in on a device without browser: show `user_code` and `verification_uri`. Options: `:scope`, `:resource`,
  `:organization`, `:claims`, `:authorization_details`; maps and lists are written as JSON.
  """
  @spec device_authorization(Client.t(), keyword()) :: {:ok, Svc.Device.t()} | {:error, Error.t()}
  def device_authorization(client, opts \\ []) do
    parameters = for name <- @of_devices, value = opts[name], do: {name, written(value)}

    with {:ok, answer} <- post(client, "device_authorization_endpoint", parameters) do
      with :error <- Svc.Device.read(answer, client.clock.()),
           do: Error.of({:error, unreadable()}, named(client))
    end
  end

  @doc "Asks once. `{:pending, device}` says: wait `device.interval` seconds and ask with that device."
  @spec device_poll(Client.t(), Svc.Device.t()) ::
          {:ok, Tokens.t()} | {:pending, Svc.Device.t()} | {:error, Error.t()}
  def device_poll(client, device) do
    # A pause that was asked for once is over.
    device = %{device | interval: device.pace || device.interval, pace: nil}

    case token(client, grant_type: @device, device_code: device.device_code) do
      {:error, %Error{code: "authorization_pending"}} ->
        {:pending, device}

      # RFC 8628 §3.5: five seconds more, from now on.
      {:error, %Error{code: "slow_down"} = error} ->
        {:pending, %{device | interval: max(device.interval + 5, error.retry_after || 0)}}

      {:error, %Error{code: code}} when code in ["timeout", "unreachable"] ->
        {:pending, %{device | interval: device.interval * 2}}

      # A proxy answered, or the server has no time now: nothing is decided.
      {:error, %Error{status: status} = error} when status in [429, 502, 503, 504] ->
        wait = max(device.interval, error.retry_after || 0)
        {:pending, %{device | interval: wait, pace: device.interval}}

      outcome ->
        outcome
    end
  end

  @doc "Asks until the person has decided or the code has expired. Option: `:sleep`, a function of milliseconds."
  @spec device_await(Client.t(), Svc.Device.t(), keyword()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def device_await(client, device, opts \\ []) do
    sleep = Keyword.get(opts, :sleep, &Process.sleep/1)
    sleep.(device.interval * 1000)

    with {:pending, device} <- device_poll(client, device) do
      # An answer that would come after the end is not waited for.
      if client.clock.() + device.interval > device.expires_at,
        do: {:error, Error.new("expired_token", "the person did not decide in time", tenant: named(client))},
        else: device_await(client, device, opts)
    end
  end

  @doc "The claims of a person. They must be about `sub`, the subject of the ID token (OpenID Connect Core §5.3.2)."
  @spec userinfo(Client.t(), String.t(), String.t()) :: {:ok, map()} | {:error, Error.t()}
  def userinfo(client, access_token, sub) do
    # RFC 9449 §7.1: by the scheme that the token is bound by.
    scheme = if client.proof_key, do: "DPoP ", else: "Bearer "

    request = %{
      method: :get,
      url: client.metadata["userinfo_endpoint"],
      headers: [{"authorization", scheme <> access_token}]
    }

    case answer(client, fn -> {request, [access_token]} end, access_token: access_token) do
      {:ok, %{"sub" => ^sub} = claims} ->
        {:ok, claims}

      {:ok, _} ->
        {:error, Error.new("invalid_userinfo", "the answer is about another person", tenant: named(client))}

      {:error, error} ->
        {:error, error}
    end
  end

  @doc """
  Where to send the browser, so that the session ends at the issuer too (OpenID Connect RP-Initiated Logout 1.0 §2).
  Options: `:id_token` (that of the session, which may have expired: by it the person is not asked) and `:return_to` (a
  registered address to come back to).
  """
  @spec sign_out_url(Client.t(), keyword()) :: {:ok, String.t()} | {:error, Error.t()}
  def sign_out_url(%Client{} = client, opts \\ []) do
    hints = [id_token_hint: opts[:id_token], post_logout_redirect_uri: opts[:return_to]]
    given = for {name, value} <- hints, value not in [nil, ""], do: {name, value}

    case client.metadata["end_session_endpoint"] do
      url when is_binary(url) -> {:ok, with_query(url, [client_id: client.client_id] ++ given)}
      _ -> unsupported(client, "end_session_endpoint")
    end
  end

  @doc "Ends a refresh or access token. Option: `:token_type_hint`."
  @spec revoke(Client.t(), String.t(), keyword()) :: :ok | {:error, Error.t()}
  def revoke(client, token, opts \\ []) do
    with {:ok, _} <-
           post(client, "revocation_endpoint", [token: token] ++ Keyword.take(opts, [:token_type_hint])) do
      :ok
    end
  end

  @doc "Asks the token endpoint for a grant that this module has no function for."
  @spec token(Client.t(), keyword()) :: {:ok, Tokens.t()} | {:error, Error.t()}
  def token(client, parameters) do
    with {:ok, answer} <- post(client, "token_endpoint", parameters) do
      with :error <- Tokens.read(answer, client.clock.()), do: Error.of({:error, unreadable()}, named(client))
    end
  end

  @public [
            :grant_type,
            :client_id,
            :scope,
            :redirect_uri,
            :resource,
            :audience,
            :token_type_hint,
            :organization
          ] ++
            [:response_type, :code_challenge, :code_challenge_method, :subject_token_type, :actor_token_type] ++
            [:client_assertion_type] ++ @parameters

  defp post(client, endpoint, parameters) do
    case client.metadata[endpoint] do
      url when is_binary(url) ->
        answer(client, fn -> form(client, url, parameters) end)

      _ ->
        unsupported(client, endpoint)
    end
  end

  defp unsupported(client, endpoint),
    do: {:error, Error.new("unsupported", "the issuer has no #{endpoint}", tenant: named(client))}

  # The request, and what of it no error repeats. INVARIANT: no value of a parameter that is not `@public` reaches an error.
  defp form(client, url, parameters) do
    {own, headers} = Client.authenticate(client)
    # A parameter without a value is as one that is left out (RFC 6749 §3.1).
    form = own ++ Enum.reject(parameters, fn {_, value} -> value in [nil, ""] end)
    request = %{method: :post, url: url, headers: headers, content_type: @form, body: URI.encode_query(form)}
    {request, for({name, value} <- form, name not in @public, do: value)}
  end

  # Once more where the server asks for a nonce in the proof (RFC 9449 §8), with an assertion that was not used before.
  defp answer(client, build, proof \\ []) do
    {request, secrets} = build.()
    request = Map.put(request, :max_bytes, 262_144)
    outcome = client.http.(DPoP.proven(request, client.proof_key, [now: client.clock.()] ++ proof))
    nonce = if proof[:nonce] == nil, do: DPoP.nonce(outcome, client.proof_key)

    if nonce,
      do: answer(client, build, [nonce: nonce] ++ proof),
      else: read(outcome, client, secrets ++ secret(client.auth) ++ credentials(request))
  end

  defp read(outcome, client, secrets) do
    case outcome do
      {:ok, %{status: status, body: body} = response} when status in 200..299 ->
        object(body, response)

      {:ok, response} ->
        {:error, Error.of_response(response, secrets)}

      {:error, error} ->
        {:error, error}
    end
    |> Error.of(named(client))
  end

  defp named(client), do: client.tenant || client.issuer

  defp secret({_, secret}) when is_binary(secret), do: [secret]
  defp secret(_), do: []

  defp credentials(request) do
    for {"authorization", value} <- Map.get(request, :headers, []),
        [_, credential] <- [String.split(value, " ", parts: 2)],
        do: credential
  end

  defp object("", _), do: {:ok, %{}}

  defp object(body, response) do
    case Svc.JSON.decode(body) do
      {:ok, %{} = object} ->
        {:ok, object}

      _ ->
        {:error,
         %{unreadable() | status: response.status, request_id: Svc.HTTP.header(response, "x-request-id")}}
    end
  end

  defp unreadable, do: Error.new("invalid_answer", "the server's answer cannot be read")
end
