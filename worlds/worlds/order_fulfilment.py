"""Order fulfilment

The back office of a mail-order shop with several warehouses. Orders are allocated to stock,
shipped by ground or air, sometimes held or cancelled, and sometimes come back as returns that
are reviewed, received and refunded. Amounts are in EUR; all times are UTC, dates YYYY-MM-DD.

Rules:
- An order moves new -> allocated -> shipped -> delivered; new and allocated orders can be cancelled or put on hold.
- One warehouse serves the whole order; reserving takes available stock (on_hand - reserved), and a second reservation releases the first.
- Only a paid, allocated order that is not on hold can be shipped.
- A shipment created before the cut-off of the warehouse leaves today, later ones leave the next working day (Sunday is none).
- Ground takes 3 working days, air takes 1; orders with a battery product cannot fly.
- A stock transfer must leave the source with at least the reorder point available.
- A return is accepted within 30 days of delivery and for no more than the quantity delivered and not yet returned.
- Only a received return is refunded, once, at most at the price paid; a damaged item at most at half of it.
- A clerk refunds up to 150.00 for one return and a supervisor up to 1000.00.
- Clerks, planners and supervisors change orders; only supervisors cancel orders above 500.00.
"""

import copy
import re
from datetime import date, datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_TRANSIT_DAYS = {"ground": 3, "air": 1}
_REFUND_LIMITS = {"clerk": 150.0, "supervisor": 1000.0}
_CANCEL_LIMIT = 500.0
_RETURN_DAYS = 30
_TEXT_LIMIT = 2000


class CustomerInfo(TypedDict):
    customer_id: str
    name: str
    email: str
    phone: str
    address: str
    notes: str  # free text


class ProductInfo(TypedDict):
    sku: str
    title: str
    price: float
    battery: bool
    reorder_point: int  # for each warehouse


class WarehouseInfo(TypedDict):
    warehouse_id: str
    name: str
    cutoff: str  # HH:MM


class StockInfo(TypedDict):
    stock_id: str
    warehouse_id: str
    sku: str
    on_hand: int
    reserved: int
    note: str  # free text


class OrderInfo(TypedDict):
    order_id: str
    customer_id: str
    lines: List[dict]  # {sku, quantity, unit_price}
    status: str  # new, allocated, shipped, delivered, cancelled
    on_hold: bool
    hold_reason: str  # free text
    paid: bool
    placed_on: str
    promised_by: str
    delivered_on: Optional[str]
    warehouse_id: Optional[str]  # where the stock is reserved
    delivery_instructions: str  # free text


class ShipmentInfo(TypedDict):
    shipment_id: str
    order_id: str
    warehouse_id: str
    service: str  # ground, air
    leaves_on: str
    arrives_on: str
    address: str


class ReturnInfo(TypedDict):
    return_id: str
    order_id: str
    sku: str
    quantity: int
    reason: str  # free text
    status: str  # requested, approved, rejected, received, refunded
    condition: Optional[str]  # sellable, damaged
    staff_note: str  # free text
    refund: float


class StaffInfo(TypedDict):
    staff_id: str
    name: str
    role: str  # clerk, planner, warehouse, supervisor
    email: str


class WarehouseNoteInfo(TypedDict):
    note_id: str
    warehouse_id: str
    author_id: str
    written_at: str
    text: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str
    subject: str
    body: str
    staff_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _add_working_days(day: date, count: int) -> date:
    while count > 0:
        day += timedelta(days=1)
        if day.weekday() != 6:
            count -= 1
    return day


class OrderFulfilment:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.customers: Dict[str, CustomerInfo] = config.get("customers", {})
        self.products: Dict[str, ProductInfo] = config.get("products", {})
        self.warehouses: Dict[str, WarehouseInfo] = config.get("warehouses", {})
        self.stock: Dict[str, StockInfo] = config.get("stock", {})
        self.orders: Dict[str, OrderInfo] = config.get("orders", {})
        self.shipments: Dict[str, ShipmentInfo] = config.get("shipments", {})
        self.returns: Dict[str, ReturnInfo] = config.get("returns", {})
        self.staff: Dict[str, StaffInfo] = config.get("staff", {})
        self.warehouse_notes: Dict[str, WarehouseNoteInfo] = config.get("warehouse_notes", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_shipment_no: int = config.get("next_shipment_no", 1)
        self.next_return_no: int = config.get("next_return_no", 1)
        self.next_note_no: int = config.get("next_note_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> datetime:
        return datetime.now(timezone.utc)

    def _denied(self, staff_id: str, *roles: str) -> Optional[str]:
        """Why the person may not act with one of the roles, or None."""
        person = self.staff.get(staff_id)
        if person is None:
            return f"Unknown staff id {staff_id}"
        if person["role"] not in roles:
            return f"A {person['role']} may not do this; needed: {', '.join(roles)}"
        return None

    def _find_stock(self, warehouse_id: str, sku: str) -> Optional[StockInfo]:
        for item in self.stock.values():
            if item["warehouse_id"] == warehouse_id and item["sku"] == sku:
                return item
        return None

    def _needs(self, order: OrderInfo) -> Dict[str, int]:
        """Quantity the order needs of each sku."""
        needs: Dict[str, int] = {}
        for line in order["lines"]:
            needs[line["sku"]] = needs.get(line["sku"], 0) + line["quantity"]
        return needs

    def _total(self, order: OrderInfo) -> float:
        return round(sum(line["quantity"] * line["unit_price"] for line in order["lines"]), 2)

    def _release(self, order: OrderInfo):
        if order["status"] == "allocated":
            for sku, quantity in self._needs(order).items():
                self._find_stock(order["warehouse_id"], sku)["reserved"] -= quantity
            order["status"] = "new"
            order["warehouse_id"] = None

    def _unshipped(self, order_id: str) -> Optional[OrderInfo]:
        order = self.orders.get(order_id)
        return order if order is not None and order["status"] in ("new", "allocated") else None

    def find_customer(self, query: str) -> dict:
        """Find customers by id, or by a part of the name or email.

        Args:
            query (str): Text to look for, upper and lower case are equal.
        Returns:
            dict: data is a list of customers with address and notes.
        Effect: read
        """
        text = query.strip().lower()
        if not text:
            return _fail("Give a name, an email or an id")
        found = [c for c in self.customers.values() if text == c["customer_id"].lower() or text in c["name"].lower() or text in c["email"].lower()]
        return _ok(found) if found else _fail(f"No customer matches {query!r}")

    def list_orders(self, status: Optional[Literal["new", "allocated", "shipped", "delivered", "cancelled"]] = None, customer_id: Optional[str] = None, promised_until: Optional[str] = None) -> dict:
        """List orders in short form, the most urgent first.

        Args:
            status (str): Only orders in this status; all when omitted.
            customer_id (str): Only orders of this customer; all when omitted.
            promised_until (str): Only orders promised by this date (YYYY-MM-DD) or before.
        Returns:
            dict: data is a list of orders with id, customer, status, dates, total, paid and on_hold.
        Effect: read
        """
        rows = []
        for order in sorted(self.orders.values(), key=lambda o: (o["promised_by"], o["order_id"])):
            if status not in (None, order["status"]) or customer_id not in (None, order["customer_id"]):
                continue
            if promised_until is not None and order["promised_by"] > promised_until:
                continue
            keys = ("order_id", "customer_id", "status", "on_hold", "paid", "placed_on", "promised_by")
            rows.append(dict({key: order[key] for key in keys}, total=self._total(order)))
        return _ok(rows)

    def get_order(self, order_id: str) -> dict:
        """Read an order with its lines, hold reason, delivery instructions and total.

        Args:
            order_id (str): Order id.
        Returns:
            dict: data is the order.
        Effect: read
        """
        order = self.orders.get(order_id)
        return _ok(dict(order, total=self._total(order))) if order else _fail(f"Unknown order {order_id}")

    def find_stock(self, query: str) -> dict:
        """Find products by sku or by a part of the title, with the stock in every warehouse.

        Args:
            query (str): Sku or text of the title, upper and lower case are equal.
        Returns:
            dict: data is a list of products, each with a stock list (available = on_hand - reserved).
        Effect: read
        """
        text = query.strip().lower()
        rows = []
        for product in self.products.values():
            if text and (text == product["sku"].lower() or text in product["title"].lower()):
                items = [dict(s, available=s["on_hand"] - s["reserved"]) for s in self.stock.values() if s["sku"] == product["sku"]]
                rows.append(dict(product, stock=items))
        return _ok(rows) if rows else _fail(f"No product matches {query!r}")

    def list_warehouses(self) -> dict:
        """List the warehouses with their cut-off times, and the current time.

        Returns:
            dict: data has now and warehouses.
        Effect: read
        """
        return _ok({"now": self._now().strftime("%Y-%m-%d %H:%M"), "warehouses": list(self.warehouses.values())})

    def list_warehouse_notes(self, warehouse_id: str) -> dict:
        """List the notes of a warehouse, oldest first.

        Args:
            warehouse_id (str): Warehouse id.
        Returns:
            dict: data is a list of notes.
        Effect: read
        """
        if warehouse_id not in self.warehouses:
            return _fail(f"Unknown warehouse {warehouse_id}")
        notes = [n for n in self.warehouse_notes.values() if n["warehouse_id"] == warehouse_id]
        return _ok(sorted(notes, key=lambda n: (n["written_at"], n["note_id"])))

    def list_shipments(self, order_id: Optional[str] = None, arrives_on: Optional[str] = None) -> dict:
        """List shipments of an order or of an arrival date.

        Args:
            order_id (str): Only shipments of this order; all when omitted.
            arrives_on (str): Only shipments with this arrival date (YYYY-MM-DD).
        Returns:
            dict: data is a list of shipments.
        Effect: read
        """
        return _ok([s for s in self.shipments.values() if order_id in (None, s["order_id"]) and arrives_on in (None, s["arrives_on"])])

    def list_returns(self, status: Optional[Literal["requested", "approved", "rejected", "received", "refunded"]] = None, order_id: Optional[str] = None) -> dict:
        """List returns with the customer's reason and the notes of staff.

        Args:
            status (str): Only returns in this status; all when omitted.
            order_id (str): Only returns of this order; all when omitted.
        Returns:
            dict: data is a list of returns.
        Effect: read
        """
        return _ok([r for r in self.returns.values() if status in (None, r["status"]) and order_id in (None, r["order_id"])])

    def find_staff(self, role: Optional[Literal["clerk", "planner", "warehouse", "supervisor"]] = None) -> dict:
        """List staff, filtered by role.

        Args:
            role (str): Role of the person; all roles when omitted.
        Returns:
            dict: data is a list of staff.
        Effect: read
        """
        return _ok([s for s in self.staff.values() if role in (None, s["role"])])

    def reserve_stock(self, order_id: str, warehouse_id: str, staff_id: str) -> dict:
        """Allocate a whole order to a warehouse; an earlier reservation of the order is released.

        Args:
            order_id (str): Order that is new or allocated and not on hold.
            warehouse_id (str): Warehouse that has all lines available.
            staff_id (str): Clerk, planner or supervisor.
        Returns:
            dict: data is the order.
        Effect: write
        """
        order = self._unshipped(order_id)
        problem = self._denied(staff_id, "clerk", "planner", "supervisor")
        if problem:
            return _fail(problem)
        if order is None or order["on_hold"]:
            return _fail("The order is unknown, on hold, or no longer open")
        if warehouse_id not in self.warehouses:
            return _fail(f"Unknown warehouse {warehouse_id}")
        needs = self._needs(order)
        for sku, quantity in needs.items():
            item = self._find_stock(warehouse_id, sku)
            own = quantity if order["warehouse_id"] == warehouse_id else 0
            available = item["on_hand"] - item["reserved"] + own if item else 0
            if available < quantity:
                return _fail(f"{warehouse_id} has {available} of {sku} available, {quantity} needed")
        self._release(order)
        for sku, quantity in needs.items():
            self._find_stock(warehouse_id, sku)["reserved"] += quantity
        order["status"] = "allocated"
        order["warehouse_id"] = warehouse_id
        return _ok(order)

    def create_shipment(self, order_id: str, service: Literal["ground", "air"], staff_id: str) -> dict:
        """Ship an allocated, paid order to the customer's address from its warehouse.

        Args:
            order_id (str): Order id.
            service (str): ground or air.
            staff_id (str): Clerk, warehouse or supervisor.
        Returns:
            dict: data is the shipment, with late true when it arrives after the promised date.
        Effect: external
        """
        problem = self._denied(staff_id, "clerk", "warehouse", "supervisor")
        if problem:
            return _fail(problem)
        order = self._unshipped(order_id)
        if order is None or order["status"] != "allocated" or order["on_hold"]:
            return _fail("The order is not allocated, or it is on hold")
        if not order["paid"]:
            return _fail("The order is not paid")
        if service not in _TRANSIT_DAYS:
            return _fail("The service is ground or air")
        if service == "air" and any(self.products[sku]["battery"] for sku in self._needs(order)):
            return _fail("Orders with a battery product cannot fly")
        warehouse = self.warehouses[order["warehouse_id"]]
        now = self._now()
        leaves = now.date()
        if now.strftime("%H:%M") >= warehouse["cutoff"] or leaves.weekday() == 6:
            leaves = _add_working_days(leaves, 1)
        arrives = _add_working_days(leaves, _TRANSIT_DAYS[service])
        for sku, quantity in self._needs(order).items():
            item = self._find_stock(order["warehouse_id"], sku)
            item["on_hand"] -= quantity
            item["reserved"] -= quantity
        order["status"] = "shipped"
        shipment_id = f"SH-{self.next_shipment_no}"
        self.next_shipment_no += 1
        self.shipments[shipment_id] = {
            "shipment_id": shipment_id, "order_id": order_id, "warehouse_id": order["warehouse_id"], "service": service,
            "leaves_on": leaves.isoformat(), "arrives_on": arrives.isoformat(),
            "address": self.customers[order["customer_id"]]["address"],
        }
        return _ok(dict(self.shipments[shipment_id], late=arrives.isoformat() > order["promised_by"]))

    def transfer_stock(self, sku: str, from_warehouse_id: str, to_warehouse_id: str, quantity: int, staff_id: str, note: str = "") -> dict:
        """Move available stock to another warehouse.

        Args:
            sku (str): Product.
            from_warehouse_id (str): Source; keeps at least the reorder point available.
            to_warehouse_id (str): Target.
            quantity (int): Pieces, more than zero.
            staff_id (str): Planner or supervisor.
            note (str): When given, replaces the note of the target's stock record.
        Returns:
            dict: data has the stock records of source and target.
        Effect: write
        """
        problem = self._denied(staff_id, "planner", "supervisor")
        if problem:
            return _fail(problem)
        source, target = self._find_stock(from_warehouse_id, sku), self._find_stock(to_warehouse_id, sku)
        if source is None or target is None or source is target:
            return _fail("Both warehouses must keep the product and be different")
        spare = source["on_hand"] - source["reserved"] - self.products[sku]["reorder_point"]
        if quantity <= 0 or quantity > spare:
            return _fail(f"{from_warehouse_id} can give away at most {max(spare, 0)} of {sku}")
        source["on_hand"] -= quantity
        target["on_hand"] += quantity
        if note:
            target["note"] = note
        return _ok({"source": source, "target": target})

    def update_order(self, order_id: str, staff_id: str, delivery_instructions: Optional[str] = None, promised_by: Optional[str] = None) -> dict:
        """Change the delivery instructions or the promised date of an order that is not shipped.

        Args:
            order_id (str): Order id.
            staff_id (str): Clerk, planner or supervisor.
            delivery_instructions (str): New text that replaces the old; unchanged when omitted.
            promised_by (str): New date YYYY-MM-DD, not before today; unchanged when omitted.
        Returns:
            dict: data is the order.
        Effect: write
        """
        order = self._unshipped(order_id)
        problem = self._denied(staff_id, "clerk", "planner", "supervisor")
        if problem or order is None:
            return _fail(problem or "The order is unknown or no longer open")
        if promised_by is not None:
            if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", promised_by) or promised_by < self._now().date().isoformat():
                return _fail("promised_by is a date YYYY-MM-DD, not before today")
            order["promised_by"] = promised_by
        if delivery_instructions is not None:
            order["delivery_instructions"] = delivery_instructions
        return _ok(order)

    def set_order_hold(self, order_id: str, on_hold: bool, reason: str, staff_id: str) -> dict:
        """Put an order that is not shipped on hold, or take it off hold.

        Args:
            order_id (str): Order id.
            on_hold (bool): true holds the order, false resumes it.
            reason (str): Why; replaces the old hold reason.
            staff_id (str): Clerk, planner or supervisor.
        Returns:
            dict: data is the order.
        Effect: write
        """
        order = self._unshipped(order_id)
        problem = self._denied(staff_id, "clerk", "planner", "supervisor")
        if problem or order is None:
            return _fail(problem or "The order is unknown or no longer open")
        order["on_hold"] = on_hold
        order["hold_reason"] = reason
        return _ok(order)

    def cancel_order(self, order_id: str, reason: str, staff_id: str) -> dict:
        """Cancel an order that is not shipped; its reservation is released.

        Args:
            order_id (str): Order id.
            reason (str): Why; kept as the hold reason.
            staff_id (str): Clerk or supervisor; above 500.00 only a supervisor.
        Returns:
            dict: data is the order.
        Effect: write
        """
        order = self._unshipped(order_id)
        problem = self._denied(staff_id, "clerk", "supervisor")
        if problem or order is None:
            return _fail(problem or "The order is unknown or no longer open")
        if self._total(order) > _CANCEL_LIMIT and self.staff[staff_id]["role"] != "supervisor":
            return _fail("Only a supervisor cancels orders above 500.00")
        self._release(order)
        order["status"] = "cancelled"
        order["on_hold"] = False
        order["hold_reason"] = reason
        return _ok(order)

    def open_return(self, order_id: str, sku: str, quantity: int, reason: str, staff_id: str) -> dict:
        """Open a return for a customer.

        Args:
            order_id (str): Delivered order.
            sku (str): Product that comes back.
            quantity (int): Pieces, more than zero.
            reason (str): Reason in the customer's words.
            staff_id (str): Clerk or supervisor.
        Returns:
            dict: data is the return, in status requested.
        Effect: write
        """
        order = self.orders.get(order_id)
        problem = self._denied(staff_id, "clerk", "supervisor")
        if problem:
            return _fail(problem)
        if order is None or order["status"] != "delivered":
            return _fail("The order is unknown or not delivered")
        gone = sum(r["quantity"] for r in self.returns.values() if r["order_id"] == order_id and r["sku"] == sku and r["status"] != "rejected")
        if quantity <= 0 or quantity > self._needs(order).get(sku, 0) - gone:
            return _fail("The quantity is more than what can come back")
        return_id = f"RT-{self.next_return_no}"
        self.next_return_no += 1
        self.returns[return_id] = {
            "return_id": return_id, "order_id": order_id, "sku": sku, "quantity": quantity, "reason": reason,
            "status": "requested", "condition": None, "staff_note": "", "refund": 0.0,
        }
        return _ok(self.returns[return_id])

    def review_return(self, return_id: str, decision: Literal["approved", "rejected"], note: str, staff_id: str) -> dict:
        """Approve or reject a requested return; an approval needs a delivery within the last 30 days.

        Args:
            return_id (str): Return in status requested.
            decision (str): approved or rejected.
            note (str): Reason for the decision; replaces the staff note.
            staff_id (str): Clerk or supervisor.
        Returns:
            dict: data is the return.
        Effect: write
        """
        item = self.returns.get(return_id)
        problem = self._denied(staff_id, "clerk", "supervisor")
        if problem:
            return _fail(problem)
        if item is None or item["status"] != "requested" or decision not in ("approved", "rejected"):
            return _fail("The return is unknown or already decided, or the decision is unknown")
        delivered = date.fromisoformat(self.orders[item["order_id"]]["delivered_on"])
        if decision == "approved" and (self._now().date() - delivered).days > _RETURN_DAYS:
            return _fail("The delivery was more than 30 days ago")
        item["status"] = decision
        item["staff_note"] = note
        return _ok(item)

    def receive_return(self, return_id: str, warehouse_id: str, condition: Literal["sellable", "damaged"], note: str, staff_id: str) -> dict:
        """Book an approved return that has arrived; sellable pieces go back to stock.

        Args:
            return_id (str): Return in status approved.
            warehouse_id (str): Warehouse where it arrived; it must keep the product.
            condition (str): sellable or damaged.
            note (str): What the inspection found; replaces the staff note.
            staff_id (str): Clerk, warehouse or supervisor.
        Returns:
            dict: data is the return.
        Effect: write
        """
        item = self.returns.get(return_id)
        problem = self._denied(staff_id, "clerk", "warehouse", "supervisor")
        if problem:
            return _fail(problem)
        if item is None or item["status"] != "approved" or condition not in ("sellable", "damaged"):
            return _fail("The return is unknown or not approved, or the condition is unknown")
        place = self._find_stock(warehouse_id, item["sku"])
        if place is None:
            return _fail("This warehouse does not keep the product")
        item["status"] = "received"
        item["condition"] = condition
        item["staff_note"] = note
        if condition == "sellable":
            place["on_hand"] += item["quantity"]
        return _ok(item)

    def issue_refund(self, return_id: str, amount: float, staff_id: str) -> dict:
        """Refund a received return to the customer.

        Args:
            return_id (str): Return in status received.
            amount (float): EUR, more than zero.
            staff_id (str): Clerk (up to 150.00) or supervisor (up to 1000.00).
        Returns:
            dict: data is the return.
        Effect: external
        """
        item = self.returns.get(return_id)
        problem = self._denied(staff_id, "clerk", "supervisor")
        if problem:
            return _fail(problem)
        if item is None or item["status"] != "received":
            return _fail("The return is unknown or not received")
        prices = [line["unit_price"] for line in self.orders[item["order_id"]]["lines"] if line["sku"] == item["sku"]]
        most = item["quantity"] * prices[0] * (0.5 if item["condition"] == "damaged" else 1.0)
        amount = round(float(amount), 2)
        if amount <= 0 or amount > round(most, 2):
            return _fail(f"The refund is at most {most:.2f}")
        limit = _REFUND_LIMITS[self.staff[staff_id]["role"]]
        if amount > limit:
            return _fail(f"Your limit for one return is {limit:.2f}; ask a supervisor")
        item["status"] = "refunded"
        item["refund"] = amount
        return _ok(item)

    def update_customer(self, customer_id: str, staff_id: str, email: Optional[str] = None, phone: Optional[str] = None, address: Optional[str] = None, notes: Optional[str] = None) -> dict:
        """Change contact data or the notes of a customer; omitted fields stay.

        Args:
            customer_id (str): Customer id.
            staff_id (str): Clerk, planner or supervisor.
            email (str): New email address.
            phone (str): New phone number.
            address (str): New delivery address.
            notes (str): New text that replaces the notes.
        Returns:
            dict: data is the customer.
        Effect: write
        """
        customer = self.customers.get(customer_id)
        problem = self._denied(staff_id, "clerk", "planner", "supervisor")
        if problem or customer is None:
            return _fail(problem or f"Unknown customer {customer_id}")
        if email is not None and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", email):
            return _fail("This is not an email address")
        for key, value in (("email", email), ("phone", phone), ("address", address), ("notes", notes)):
            if value is not None:
                customer[key] = value
        return _ok(customer)

    def add_warehouse_note(self, warehouse_id: str, text: str, staff_id: str) -> dict:
        """Write a note for a warehouse.

        Args:
            warehouse_id (str): Warehouse id.
            text (str): Text of the note.
            staff_id (str): Author, any role.
        Returns:
            dict: data is the note.
        Effect: write
        """
        if warehouse_id not in self.warehouses or staff_id not in self.staff:
            return _fail("Unknown warehouse or staff id")
        if not text.strip() or len(text) > _TEXT_LIMIT:
            return _fail("The note must have 1 to 2000 characters")
        note_id = f"WN-{self.next_note_no}"
        self.next_note_no += 1
        self.warehouse_notes[note_id] = {
            "note_id": note_id, "warehouse_id": warehouse_id, "author_id": staff_id,
            "written_at": self._now().strftime("%Y-%m-%d %H:%M"), "text": text,
        }
        return _ok(self.warehouse_notes[note_id])

    def send_message(self, recipient: str, subject: str, body: str, staff_id: str) -> dict:
        """Send an email.

        Args:
            recipient (str): Email address.
            subject (str): Subject line.
            body (str): Text of the email.
            staff_id (str): Sender, any role.
        Returns:
            dict: data is the message.
        Effect: external
        """
        if staff_id not in self.staff:
            return _fail(f"Unknown staff id {staff_id}")
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", recipient):
            return _fail("The recipient must be an email address")
        if not body.strip() or len(body) > _TEXT_LIMIT:
            return _fail("The body must have 1 to 2000 characters")
        message_id = f"MS-{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "subject": subject, "body": body,
            "staff_id": staff_id, "sent_at": self._now().strftime("%Y-%m-%d %H:%M"),
        }
        return _ok(self.messages[message_id])
