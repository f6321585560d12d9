defmodule Svc.JSONTest do
  use ExUnit.Case, async: true
  doctest Svc.JSON

  @good [
    {"null", nil},
    {" [ ] ", []},
    {"{ }", %{}},
    {"-0", 0},
    {"1e2", 100.0},
    {"1E-2", 0.01},
    {"-12.5e+1", -125.0},
    {"123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890},
    {~S("\"\\\/\b\f\n\r\t"), "\"\\/\b\f\n\r\t"},
    {~S("\u0041\u00e9\u20AC"), "Aé€"},
    {~S("\ud83d\ude00!"), "😀!"},
    {~S("a\u0000b"), "a\0b"},
    {~S({"a":{"b":[true,false,null]},"":0}), %{"a" => %{"b" => [true, false, nil]}, "" => 0}}
  ]

  for {text, value} <- @good do
    test "reads #{text}" do
      assert Svc.JSON.decode(unquote(text)) == {:ok, unquote(Macro.escape(value))}
    end
  end

  @bad [
    "",
    " ",
    "nul",
    "True",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e999",
    "NaN",
    "[1,]",
    "[1 2]",
    "[",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{\"a\":1",
    "'a'",
    "\"a",
    "\"\n\"",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u+123\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"\\ud800\\ud800\"",
    "1 1",
    "{} x",
    <<34, 255, 34>>,
    <<34, 0xED, 0xA0, 0x80, 34>>,
    ~S({"a":1,"a":1}),
    ~S({"a":1,"\u0061":1}),
    ~S([{"x":{"a":1,"a":2}}])
  ]

  for {text, number} <- Enum.with_index(@bad) do
    test "refuses #{number}: #{inspect(text)}" do
      assert {:error, _} = Svc.JSON.decode(unquote(text))
    end
  end

  test "bounds depth, size and numbers" do
    nested = fn depth -> String.duplicate("[", depth) <> String.duplicate("]", depth) end
    assert {:ok, _} = Svc.JSON.decode(nested.(64))
    assert Svc.JSON.decode(nested.(65)) == {:error, "too deep"}
    assert Svc.JSON.decode(~s({"a":) <> nested.(64) <> "}") == {:error, "too deep"}
    assert Svc.JSON.decode("[1, 2]", max_bytes: 5) == {:error, "too large"}
    assert Svc.JSON.decode(String.duplicate("9", 65)) == {:error, "a number too long"}
    assert {:error, _} = Svc.JSON.decode(String.duplicate("[", 1_000_000))
  end

  test "what it writes, it reads" do
    value = %{"a" => [1, -2.5, nil, true, "x\"\\\u0001\n€😀", %{"" => []}]}
    assert value |> Svc.JSON.encode() |> Svc.JSON.decode() == {:ok, value}
    assert Svc.JSON.encode(%{a: :b}) == ~s({"a":"b"})
    assert_raise ArgumentError, fn -> Svc.JSON.encode(<<255>>) end
    assert_raise ArgumentError, fn -> Svc.JSON.encode({1, 2}) end
  end
end
