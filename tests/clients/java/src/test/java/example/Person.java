package example;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.web.util.HtmlUtils;

/** A person with a browser, as far as plain HTML forms need one. */
class Person {
    private static final Pattern FORM = Pattern.compile("(?s)<form([^>]*method=\"post\"[^>]*)>(.*?)</form>");
    private static final Pattern INPUT = Pattern.compile("<input[^>]*>");

    private final HttpClient browser = HttpClient.newHttpClient();
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final String username;
    private final String password;

    Person(String username, String password) {
        this.username = username;
        this.password = password;
    }

    /** Opens an address, follows redirects and answers forms; returns the first page without a form. */
    String visit(String start) throws Exception {
        var address = URI.create(start);
        String form = null;
        for (int step = 0; step < 16; step++) {
            var request = HttpRequest.newBuilder(address).header("cookie", cookies());
            if (form != null) {
                request.header("content-type", "application/x-www-form-urlencoded")
                    .header("origin", address.getScheme() + "://" + address.getAuthority())
                    .POST(BodyPublishers.ofString(form));
            }
            var reply = browser.send(request.build(), BodyHandlers.ofString());
            reply.headers().allValues("set-cookie").forEach(this::keep);
            var location = reply.headers().firstValue("location");
            var found = FORM.matcher(reply.body());
            if (location.isPresent()) {
                address = address.resolve(location.get());
                form = null;
            } else if (reply.statusCode() == 200 && found.find()) {
                form = filled(found.group(2));
                address = address.resolve(attribute(found.group(1), "action"));
            } else if (reply.statusCode() == 200) {
                return reply.body();
            } else {
                throw new IllegalStateException(address + " answered " + reply.statusCode() + ": " + reply.body());
            }
        }
        throw new IllegalStateException("one page after another, at last " + address);
    }

    private String cookies() {
        var pairs = cookies.entrySet().stream().map(cookie -> cookie.getKey() + "=" + cookie.getValue()).toList();
        return String.join("; ", pairs);
    }

    private void keep(String line) {
        var pair = line.split(";", 2)[0].split("=", 2);
        cookies.put(pair[0], pair[1]);
    }

    private String filled(String form) {
        var fields = new ArrayList<String>();
        var inputs = INPUT.matcher(form);
        while (inputs.find()) {
            var name = attribute(inputs.group(), "name");
            var value = switch (name) {
                case "username" -> username;
                case "password" -> password;
                default -> attribute(inputs.group(), "value");
            };
            fields.add(URLEncoder.encode(name, StandardCharsets.UTF_8) + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
        return String.join("&", fields);
    }

    private static String attribute(String tag, String name) {
        var found = Pattern.compile("\\s" + name + "=\"([^\"]*)\"").matcher(tag);
        return found.find() ? HtmlUtils.htmlUnescape(found.group(1)) : "";
    }
}
