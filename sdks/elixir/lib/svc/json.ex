defmodule Svc.JSON do
  @moduledoc """
  JSON (RFC 8259), strictly: UTF-8, no name twice in an object, no lone surrogate, bounded size, depth and numbers.

  One reader is used whatever else is installed, because two readers that differ (which of two names counts?) would
  be two judgements of one token.
  """

  @max_bytes 1_048_576
  @max_depth 64
  @max_number 64

  @type value :: nil | boolean() | number() | String.t() | [value()] | %{String.t() => value()}

  @doc """
  Reads one value. Options: `:max_bytes` (1 MiB), `:max_depth` (64).

      iex> Svc.JSON.decode(~s({"a": [1, 2.5, "\\u00e9"]}))
      {:ok, %{"a" => [1, 2.5, "é"]}}
      iex> Svc.JSON.decode(~s({"a": 1, "a": 2}))
      {:error, "a name is there twice"}
  """
  @spec decode(binary(), keyword()) :: {:ok, value()} | {:error, String.t()}
  def decode(text, opts \\ []) when is_binary(text) do
    cond do
      byte_size(text) > Keyword.get(opts, :max_bytes, @max_bytes) -> {:error, "too large"}
      not String.valid?(text) -> {:error, "not UTF-8"}
      true -> document(text, Keyword.get(opts, :max_depth, @max_depth))
    end
  end

  defp document(text, depth) do
    {value, rest} = value(space(text), depth)
    if space(rest) == "", do: {:ok, value}, else: {:error, "something follows the value"}
  catch
    {:json, reason} -> {:error, reason}
  end

  defp space(<<c, rest::binary>>) when c in ' \t\n\r', do: space(rest)
  defp space(rest), do: rest

  defp value("null" <> rest, _), do: {nil, rest}
  defp value("true" <> rest, _), do: {true, rest}
  defp value("false" <> rest, _), do: {false, rest}
  defp value("\"" <> rest, _), do: string(rest)
  defp value("{" <> _, 0), do: fail("too deep")
  defp value("[" <> _, 0), do: fail("too deep")

  defp value("{" <> rest, depth) do
    case space(rest) do
      "}" <> rest -> {%{}, rest}
      rest -> members(rest, depth - 1, %{})
    end
  end

  defp value("[" <> rest, depth) do
    case space(rest) do
      "]" <> rest -> {[], rest}
      rest -> elements(rest, depth - 1, [])
    end
  end

  defp value(<<c, _::binary>> = text, _) when c == ?- or c in ?0..?9, do: number(text)
  defp value("", _), do: fail("it ends too early")
  defp value(_, _), do: fail("no value")

  defp members("\"" <> rest, depth, object) do
    {name, rest} = string(rest)
    if is_map_key(object, name), do: fail("a name is there twice")

    case space(rest) do
      ":" <> rest ->
        {value, rest} = value(space(rest), depth)
        object = Map.put(object, name, value)

        case space(rest) do
          "," <> rest -> members(space(rest), depth, object)
          "}" <> rest -> {object, rest}
          _ -> fail("an object does not end")
        end

      _ ->
        fail("a name without value")
    end
  end

  defp members(_, _, _), do: fail("no name")

  defp elements(rest, depth, list) do
    {value, rest} = value(rest, depth)

    case space(rest) do
      "," <> rest -> elements(space(rest), depth, [value | list])
      "]" <> rest -> {Enum.reverse([value | list]), rest}
      _ -> fail("an array does not end")
    end
  end

  # Most strings have no escape: they are a part of the text.
  defp string(text), do: string(text, text, 0, [])

  defp string(<<?", rest::binary>>, from, length, []), do: {binary_part(from, 0, length), rest}

  defp string(<<?", rest::binary>>, from, length, parts),
    do: {IO.iodata_to_binary([parts, binary_part(from, 0, length)]), rest}

  defp string(<<?\\, rest::binary>>, from, length, parts) do
    {char, rest} = escape(rest)
    string(rest, rest, 0, [parts, binary_part(from, 0, length), char])
  end

  defp string(<<c, _::binary>>, _, _, _) when c < 0x20, do: fail("a control character in a string")
  defp string(<<_, rest::binary>>, from, length, parts), do: string(rest, from, length + 1, parts)
  defp string("", _, _, _), do: fail("a string does not end")

  for {letter, char} <- [{?", ?"}, {?\\, ?\\}, {?/, ?/}, {?b, 8}, {?f, 12}, {?n, 10}, {?r, 13}, {?t, 9}] do
    defp escape(<<unquote(letter), rest::binary>>), do: {<<unquote(char)>>, rest}
  end

  defp escape(<<?u, hex::binary-size(4), rest::binary>>) do
    case unit(hex) do
      high when high in 0xD800..0xDBFF -> pair(high, rest)
      low when low in 0xDC00..0xDFFF -> fail("a lone surrogate")
      char -> {<<char::utf8>>, rest}
    end
  end

  defp escape(_), do: fail("an unknown escape")

  defp pair(high, <<"\\u", hex::binary-size(4), rest::binary>>) do
    case unit(hex) do
      low when low in 0xDC00..0xDFFF ->
        {<<0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)::utf8>>, rest}

      _ ->
        fail("a lone surrogate")
    end
  end

  defp pair(_, _), do: fail("a lone surrogate")

  defp unit(hex) do
    if hex =~ ~r/\A[0-9a-fA-F]{4}\z/, do: String.to_integer(hex, 16), else: fail("an unknown escape")
  end

  defp number(text) do
    {sign, rest} = minus(text)
    {whole, rest} = digits(rest)
    if byte_size(whole) > 1 and String.starts_with?(whole, "0"), do: fail("a number with a leading zero")
    {fraction, rest} = fraction(rest)
    {exponent, rest} = exponent(rest)

    if byte_size(whole) + byte_size(fraction) + byte_size(exponent) > @max_number,
      do: fail("a number too long")

    if fraction == "" and exponent == "" do
      {String.to_integer(sign <> whole), rest}
    else
      {float(sign <> whole, fraction, exponent), rest}
    end
  end

  defp minus("-" <> rest), do: {"-", rest}
  defp minus(rest), do: {"", rest}

  defp fraction("." <> rest), do: digits(rest)
  defp fraction(rest), do: {"", rest}

  defp exponent(<<e, sign, rest::binary>>) when e in ~c"eE" and sign in ~c"+-" do
    {digits, rest} = digits(rest)
    {<<sign>> <> digits, rest}
  end

  defp exponent(<<e, rest::binary>>) when e in ~c"eE", do: digits(rest)
  defp exponent(rest), do: {"", rest}

  defp digits(text) do
    case count(text, 0) do
      0 -> fail("a number without digits")
      n -> {binary_part(text, 0, n), binary_part(text, n, byte_size(text) - n)}
    end
  end

  defp count(<<c, rest::binary>>, n) when c in ?0..?9, do: count(rest, n + 1)
  defp count(_, n), do: n

  defp float(whole, fraction, exponent) do
    fraction = if fraction == "", do: "0", else: fraction
    exponent = if exponent == "", do: "0", else: exponent
    String.to_float(whole <> "." <> fraction <> "e" <> exponent)
  rescue
    ArgumentError -> fail("a number too large")
  end

  @spec fail(String.t()) :: no_return()
  defp fail(reason), do: throw({:json, reason})

  @doc """
  Writes a value; names may be atoms. What is no JSON value raises `ArgumentError`.

      iex> Svc.JSON.encode(%{a: [1, nil, "<\\n"]})
      ~S({"a":[1,null,"<\\n"]})
  """
  @spec encode(term()) :: String.t()
  def encode(value), do: value |> write() |> IO.iodata_to_binary()

  defp write(nil), do: "null"
  defp write(true), do: "true"
  defp write(false), do: "false"
  defp write(value) when is_integer(value), do: Integer.to_string(value)
  defp write(value) when is_float(value), do: Float.to_string(value)
  defp write(value) when is_atom(value), do: write(Atom.to_string(value))

  defp write(value) when is_binary(value) do
    unless String.valid?(value), do: raise(ArgumentError, "text that is not UTF-8 is no JSON")
    [?", for(<<c <- value>>, do: char(c)), ?"]
  end

  defp write(list) when is_list(list), do: [?[, list |> Enum.map(&write/1) |> Enum.intersperse(?,), ?]]

  defp write(%{} = map) when not is_struct(map) do
    members = for {name, value} <- map, do: [name |> to_string() |> write(), ?:, write(value)]
    [?{, Enum.intersperse(members, ?,), ?}]
  end

  defp write(_), do: raise(ArgumentError, "this term is no JSON value")

  defp char(?"), do: "\\\""
  defp char(?\\), do: "\\\\"
  defp char(?\n), do: "\\n"
  defp char(?\r), do: "\\r"
  defp char(?\t), do: "\\t"
  defp char(c) when c < 0x20, do: ["\\u00", c |> Integer.to_string(16) |> String.pad_leading(2, "0")]
  defp char(c), do: c
end
