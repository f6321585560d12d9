defmodule Svc.Person do
  @moduledoc "A person with a browser, as far as plain HTML forms need one."

  @doc "Opens an address, answers pages, and returns the address on which the browser would leave for `target`."
  def sign_in(url, person, target), do: walk({:get, url, nil}, person, target, %{}, 16)

  defp walk({method, url, fields}, person, target, jar, left) when left > 0 do
    cookie = Enum.map_join(jar, "; ", fn {name, value} -> name <> "=" <> value end)
    origin = url |> URI.parse() |> Map.merge(%{path: nil, query: nil}) |> URI.to_string()

    headers =
      [{"cookie", cookie}, {"accept", "text/html"}] ++ if(method == :post, do: [{"origin", origin}], else: [])

    form = "application/x-www-form-urlencoded"

    {:ok, response} =
      Svc.HTTP.request(%{method: method, url: url, headers: headers, content_type: form, body: fields})

    jar = Enum.into(cookies(response), jar)

    case Svc.HTTP.header(response, "location") do
      nil -> walk(answered(response, url, person), person, target, jar, left - 1)
      location -> follow(URI.to_string(URI.merge(url, location)), person, target, jar, left)
    end
  end

  defp follow(address, person, target, jar, left) do
    if String.starts_with?(address, target),
      do: address,
      else: walk({:get, address, nil}, person, target, jar, left - 1)
  end

  defp cookies(response) do
    for {"set-cookie", line} <- response.headers do
      [pair | _] = String.split(line, ";")
      [name, value] = String.split(pair, "=", parts: 2)
      {name, value}
    end
  end

  defp answered(%{status: 200, body: page}, url, person) do
    [_, attributes, inside] = Regex.run(~r/<form([^>]*method="post"[^>]*)>(.*?)<\/form>/s, page)
    action = attribute(attributes, "action") || url

    fields =
      for [input] <- Regex.scan(~r/<input[^>]*>/, inside), name = attribute(input, "name"), name != nil do
        {name,
         %{"username" => person["username"], "password" => person["password"]}[name] ||
           attribute(input, "value") || ""}
      end

    [button] = Regex.run(~r/<button[^>]*>/, inside)
    pressed = if name = attribute(button, "name"), do: [{name, attribute(button, "value") || ""}], else: []
    {:post, URI.to_string(URI.merge(url, action)), URI.encode_query(fields ++ pressed)}
  end

  defp attribute(tag, name) do
    with [_, value] <- Regex.run(~r/\s#{name}="([^"]*)"/, tag) do
      value |> String.replace("&quot;", "\"") |> String.replace("&lt;", "<") |> String.replace("&amp;", "&")
    end
  end
end
